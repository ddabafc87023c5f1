"""Runs the steps of a Dockerfile without an engine, in a folder that stands for the image's root.

``python -m tests.packaging.dockerfile FOLDER`` does so with the project's own. Absolute paths in
steps become paths below the folder, the base image's Python is an environment made of this one,
and what would change the machine's users is done to the folder's own list of users. What a
container adds (isolation, ports, the volume) is not tried.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
SECONDS = 300
# Where the image's own folders are named, be it in a step or in a variable such as a database's
# URL, in which a path begins after three slashes; all other paths are the machine's.
_OWN_PATH = re.compile(r"(?:(?<=sqlite:///)|(?<![\w./]))(?=/(?:opt|src|wheels|data)\b)")
# Without the shims, what the steps ask of the machine would change its users.
_USERADD = """exec "$(command -v -p useradd)" --prefix "{root}" "$@"
"""
# The image's list says who a name is; who may not give files away keeps them.
_INSTALL = """id=$(sed -n 's/^yacht:[^:]*:\\([0-9]*\\):.*/\\1/p' "{root}/etc/passwd")
test "$id"
for word; do
  shift
  case $word in
    --owner=yacht | --group=yacht) test "$(id -u)" != 0 || set -- "$@" "${{word%%=*}}=$id" ;;
    *) set -- "$@" "$word" ;;
  esac
done
exec "$(command -v -p install)" "$@"
"""


class Instruction(NamedTuple):
    """One instruction: its word, and what follows it."""

    word: str
    rest: str


def parse(text: str) -> list[Instruction]:
    """The instructions of a Dockerfile, continued lines joined, comments left out."""
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    joined = "\n".join(lines).replace("\\\n", "")
    words = (line.split(maxsplit=1) for line in joined.splitlines() if line.strip())
    return [Instruction(word, rest) for word, rest in words]


class Image:
    """What the steps have made so far: files below a root, an environment, a user, a command."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "image"
        self.stages: dict[str, Path] = {}
        self.environment: dict[str, str] = {}
        self.folder = self.root
        self.user: str | None = None
        self.entrypoint: list[str] = []
        self.healthcheck: list[str] = []
        self.ports: set[int] = set()
        self.volumes: list[str] = []
        self._stage = ""

    def do(self, instruction: Instruction) -> None:
        """Take one step. LookupError where it is of a kind that is not known here."""
        steps: dict[str, Callable[[str], object]] = {
            "FROM": self._from,
            "WORKDIR": self._workdir,
            "COPY": self._copy,
            "RUN": self._run,
            "ENV": self._env,
            "USER": self._become,
            "VOLUME": lambda rest: self.volumes.extend(json.loads(rest)),
            "EXPOSE": lambda rest: self.ports.add(int(rest)),
            "HEALTHCHECK": self._check,
            "ENTRYPOINT": lambda rest: self.entrypoint.extend(json.loads(rest)),
        }
        steps[instruction.word](instruction.rest)

    def start(self, command: Sequence[str], **variables: str) -> "subprocess.Popen[str]":
        """A command in the finished image, as its user where this process may choose one."""
        is_free = os.geteuid() == 0 and _is_open_to_all(Path(sys.executable))
        uid = int(self.user) if self.user is not None and is_free else None
        found = shutil.which(command[0], path=self._variables()["PATH"])
        assert found is not None, command[0]
        return subprocess.Popen(
            [found, *command[1:]],
            cwd=self.folder,
            env={**self._variables(), **variables},
            user=uid,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _from(self, rest: str) -> None:
        if self.root.exists():
            self.root.rename(self.root.with_name(f"stage-{self._stage}"))
            self.stages[self._stage] = self.root.with_name(f"stage-{self._stage}")
        _, _, self._stage = rest.partition(" AS ")
        self.environment = {}
        self.user = None
        self.folder = self.root
        (self.root / "etc").mkdir(parents=True, mode=0o755)
        for file in ("passwd", "group", "shadow", "gshadow"):
            (self.root / "etc" / file).touch()
        venv.create(self.root / "usr" / "local", with_pip=True, symlinks=True)
        self._make_stand_ins(self.root / "stand-ins")

    def _make_stand_ins(self, folder: Path) -> None:
        """Put what would change the machine's users in front of the machine's own programs."""
        folder.mkdir()
        for name, script in (("useradd", _USERADD), ("install", _INSTALL)):
            (folder / name).write_text(f"#!/bin/sh\nset -eu\n{script.format(root=self.root)}")
            (folder / name).chmod(0o755)

    def _workdir(self, rest: str) -> None:
        self.folder = self._path(rest)
        self.folder.mkdir(parents=True, exist_ok=True)

    def _copy(self, rest: str) -> None:
        *sources, target = rest.split()
        into = self._path(target)
        if sources[0].startswith("--from="):
            stage = self.stages[sources.pop(0).removeprefix("--from=")]
            (source,) = sources
            shutil.copytree(stage / source.lstrip("/"), into, symlinks=True, dirs_exist_ok=True)
            return
        for source in sources:
            for file in context(ROOT, source):
                is_folder = (ROOT / source).is_dir()
                below = file.relative_to(ROOT / source) if is_folder else Path(file.name)
                to = into / below if is_folder or target.endswith("/") else into
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, to)

    def _run(self, rest: str) -> None:
        script = _OWN_PATH.sub(str(self.root), rest)
        ended = subprocess.run(
            ["/bin/sh", "-c", script],
            check=False,
            cwd=self.folder,
            env=self._variables(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
        )
        if ended.returncode != 0:
            raise RuntimeError(f"RUN {rest}\n{ended.stdout}")

    def _env(self, rest: str) -> None:
        for word in shlex.split(rest):
            name, _, value = word.partition("=")
            self.environment[name] = value

    def _become(self, rest: str) -> None:
        self.user = rest

    def _check(self, rest: str) -> None:
        flags, _, command = rest.partition("CMD ")
        for flag in shlex.split(flags):
            assert re.fullmatch(r"--(interval|timeout|start-period)=\d+s", flag), flag
        self.healthcheck = json.loads(command)

    def _path(self, path: str) -> Path:
        return self.root / path.lstrip("/") if path.startswith("/") else self.folder / path

    def _variables(self) -> dict[str, str]:
        base = [self.root / "stand-ins", self.root / "usr" / "local" / "bin"]
        path = os.pathsep.join([*map(str, base), os.environ["PATH"]])
        kept = ("http_proxy", "https_proxy", "no_proxy", "pip_", "ssl_", "requests_ca_bundle")
        inherited = {n: v for n, v in os.environ.items() if n.lower().startswith(kept)}
        own = {
            name: _OWN_PATH.sub(str(self.root), value).replace("$PATH", path)
            for name, value in self.environment.items()
        }
        # Compiling is most of what an installation costs, and no step depends on it.
        return {"PATH": path, "HOME": str(self.root), "PIP_NO_COMPILE": "1", **inherited, **own}


def context(root: Path, source: str) -> Iterator[Path]:
    """The files that a build is given for one source of a COPY, as .dockerignore has it."""
    rules = (root / ".dockerignore").read_text(encoding="utf-8").splitlines()
    waiting = [root / source]
    while waiting:
        place = waiting.pop()
        if place != root and _is_ignored(place.relative_to(root), rules):
            continue  # what lies in an ignored folder is never taken back by these rules
        if place.is_dir():
            waiting += place.iterdir()
        else:
            yield place


def _is_ignored(file: Path, rules: Sequence[str]) -> bool:
    ignored = False
    for rule in rules:
        pattern = rule.removeprefix("!")
        if rule.startswith("#") or not rule:
            continue
        places = [file, *file.parents][:-1]
        deep = pattern.removeprefix("**/")
        names = [place.name if deep != pattern else place.as_posix() for place in places]
        if any(fnmatch(name, deep) for name in names):
            ignored = not rule.startswith("!")
    return ignored


def _is_open_to_all(file: Path) -> bool:
    """Whether another user may run the file: no folder on the way to it is closed."""
    real = file.resolve()
    return all(place.stat().st_mode & 0o005 == 0o005 for place in [real, *real.parents])


def build(folder: Path, dockerfile: Path = ROOT / "Dockerfile") -> Image:
    """Take all steps of the Dockerfile."""
    image = Image(folder)
    for instruction in parse(dockerfile.read_text(encoding="utf-8")):
        image.do(instruction)
    return image


if __name__ == "__main__":
    build(Path(sys.argv[1]))
