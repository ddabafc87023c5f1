"""The store on real SQLite files, built by the migrations."""
