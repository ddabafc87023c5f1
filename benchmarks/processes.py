"""What the system says of processes and folders: CPU time, memory, cores, file systems.

It must not know what the processes do.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

MEMORY_FILE_SYSTEMS = frozenset({"tmpfs", "ramfs", "devtmpfs"})


def process_tree(pid: int) -> list[psutil.Process]:
    """A process and all that descend from it."""
    root = psutil.Process(pid)
    return [root, *root.children(recursive=True)]


def cpu_seconds(processes: list[psutil.Process]) -> float:
    """The user and system time that these processes have taken so far, in sum."""
    return sum(times.user + times.system for times in (each.cpu_times() for each in processes))


def resident_megabytes(processes: list[psutil.Process]) -> float:
    """The memory that these processes hold in RAM, in MB of 10^6 bytes."""
    return sum(each.memory_info().rss for each in processes) / 1e6


def choose_cores() -> tuple[int, int] | None:
    """A core for the server and one for the load; None where the system does not offer two."""
    if not hasattr(psutil.Process, "cpu_affinity"):
        return None
    allowed = psutil.Process().cpu_affinity()
    return (allowed[0], allowed[1]) if len(allowed) > 1 else None


@contextmanager
def pinned(core: int | None) -> Iterator[None]:
    """Keeps this process, and so the processes it starts meanwhile, on one core."""
    if core is None:
        yield
        return
    this = psutil.Process()
    before = this.cpu_affinity()
    this.cpu_affinity([core])
    try:
        yield
    finally:
        this.cpu_affinity(before)


def file_system(folder: Path) -> str:
    """The type of the file system that a folder is on, such as `ext4`."""
    best, kind = Path("/"), "unknown"
    for partition in psutil.disk_partitions(all=True):
        point = Path(partition.mountpoint)
        if folder.resolve().is_relative_to(point) and len(point.parts) >= len(best.parts):
            best, kind = point, partition.fstype
    return kind
