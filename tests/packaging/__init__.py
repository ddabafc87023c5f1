"""What is handed out: the wheel, the source archive, and the image's recipe."""
