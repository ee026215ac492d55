#!/usr/bin/env python3
"""Compares torrent-check and other programs: CPU and wall time of a whole check of a download.

The content is random: one file, in pieces of several lengths, or 20,000 small files. libtorrent
creates the torrents (v1, v2 and hybrid), so that no program checks its own work. Each program must
call the content complete, and incomplete after one byte is changed. Then all programs are run
alternately. Before each run the content is read, because libtorrent drops it from the page cache.
Each figure is the minimum of all runs: of the CPU time, user and system, and of the wall time. The
wall time of transmission-cli is unknown, because it does not say when the check ends.

Needs libtorrent's Python binding (pip install libtorrent). Other rivals are skipped if they are not
installed: imdl (cargo install imdl), mkbrr (go install github.com/autobrr/mkbrr@latest), torf (pip
install torf), transmission-cli (Debian).

    cargo build --release -p torrent-check
    taskset -c 1 python3 benches/torrent-rivals.py target/release/torrent-check
"""

import argparse
import json
import math
import os
import pathlib
import platform
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import libtorrent

KINDS = {
    "v1": libtorrent.create_torrent.v1_only,
    "v2": libtorrent.create_torrent.v2_only,
    "hybrid": 0,
}

# The number of files, their length in bytes (None: --mib in all) and the piece length.
CASES = {
    "256 KiB": (1, None, 256 << 10),
    "16 KiB": (1, None, 16 << 10),
    "16 MiB": (1, None, 16 << 20),
    "small files": (20_000, 16 << 10, 256 << 10),
}

# A program that takes longer than this is left out: torf takes minutes for 20,000 files.
MAX_SECONDS = 30


def make_content(content, case, total):
    """Creates the content of a case, a file or a folder."""
    count, length, _ = CASES[case]
    if length is None:
        with open(content, "wb") as file:
            for _ in range(total >> 20):
                file.write(os.urandom(1 << 20))
        return
    for index in range(count):
        path = content / f"{index // 200:03}" / f"{index:05}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(os.urandom(length))


def files_of(content):
    """The files of the content, in order."""
    return sorted(path for path in content.rglob("*") if path.is_file()) or [content]


def warm(content):
    """Reads the content into the page cache."""
    for path in files_of(content):
        with open(path, "rb", buffering=0) as file:
            while file.read(1 << 20):
                pass


def make_torrents(folder, content, piece_bytes):
    """Creates a torrent of each kind, and returns their paths."""
    torrents = {}
    for kind, flags in KINDS.items():
        files = libtorrent.list_files(str(content))
        creator = libtorrent.create_torrent(files, piece_bytes, flags)
        libtorrent.set_piece_hashes(creator, str(content.parent))
        torrents[kind] = folder / f"{kind}.torrent"
        torrents[kind].write_bytes(libtorrent.bencode(creator.generate()))
    return torrents


def cpu_seconds(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


class Stopwatch:
    """Measures the CPU and wall seconds since it was created, of this process or its children."""

    def __init__(self, who=resource.RUSAGE_CHILDREN):
        self.who = who
        self.cpu = cpu_seconds(who)
        self.wall = time.perf_counter()

    def seconds(self):
        wall = time.perf_counter() - self.wall
        return cpu_seconds(self.who) - self.cpu, wall


def run(command):
    """Runs a program, and returns its exit status, and its CPU and wall seconds."""
    watch = Stopwatch()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **quiet) as program:
        # Waiting with a timeout would poll, and notice the end too late.
        timer = threading.Timer(MAX_SECONDS, program.kill)
        timer.start()
        status = program.wait()
        seconds = watch.seconds()
        timer.cancel()
    if status == -signal.SIGKILL:
        raise subprocess.TimeoutExpired(command, MAX_SECONDS)
    return status, seconds


def by_status(command):
    """A check by a program whose exit status tells whether the content is complete."""
    def check(*arguments):
        status, seconds = run(command(*arguments))
        return status == 0, seconds
    return check


def libtorrent_recheck(threads):
    """Rechecks in a separate process, without counting the start of Python and of the session."""
    def check(torrent, folder):
        found = subprocess.run(
            [sys.executable, __file__, "--recheck", torrent, folder, threads],
            capture_output=True, text=True, check=True,
        )
        is_complete, cpu, wall = found.stdout.split()
        return is_complete == "True", (float(cpu), float(wall))
    return check


def recheck(torrent, folder, threads):
    session = libtorrent.session({
        "enable_dht": False, "enable_lsd": False, "enable_upnp": False, "enable_natpmp": False,
        "listen_interfaces": "", "hashing_threads": int(threads),
        "alert_mask": libtorrent.alert.category_t.status_notification,
    })
    parameters = libtorrent.load_torrent_file(torrent)
    parameters.save_path = folder
    parameters.flags &= ~(libtorrent.torrent_flags.auto_managed | libtorrent.torrent_flags.paused)
    watch = Stopwatch(resource.RUSAGE_SELF)
    handle = session.add_torrent(parameters)
    states = libtorrent.torrent_status
    checking = (states.checking_files, states.checking_resume_data)
    while True:
        status = handle.status()
        if status.state not in checking:
            break
        # The end of the check is an alert.
        session.wait_for_alert(20)
        session.pop_alerts()
    print(status.is_seeding, *watch.seconds())


def programs(ours, threads):
    """Maps each program to the kinds that it checks and its check function."""
    all_kinds = list(KINDS)
    found = {
        "torrent-check": (all_kinds, by_status(
            lambda torrent, folder: [ours, "--quiet", "--threads", threads, torrent, folder])),
        f"libtorrent {libtorrent.__version__}": (all_kinds, libtorrent_recheck(threads)),
    }
    if shutil.which("imdl"):
        version = subprocess.run(
            ["imdl", "--version"], capture_output=True, text=True
        ).stdout.split()[-1]
        found[f"imdl {version}"] = (["v1"], by_status(
            lambda torrent, folder: ["imdl", "torrent", "verify", "--input", torrent,
                                     "--content", os.path.join(folder, "content")]))
    if shutil.which("mkbrr"):
        version = subprocess.run(
            ["mkbrr", "version"], capture_output=True, text=True
        ).stdout.split()[-1]
        found[f"mkbrr {version}"] = (["v1"], by_status(
            lambda torrent, folder: ["mkbrr", "check", "--quiet", torrent,
                                     os.path.join(folder, "content")]))
    if shutil.which("transmission-cli"):
        # Some versions print it to stderr.
        version = subprocess.run(
            ["transmission-cli", "--version"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        ).stdout.split()[1]
        found[f"transmission-cli {version}"] = (["v1"], transmission_verify)
    try:
        import torf
        found[f"torf {torf.__version__}"] = (["v1"], by_status(
            lambda torrent, folder: [sys.executable, "-c", TORF, torrent,
                                     os.path.join(folder, "content"), threads]))
    except ImportError:
        pass
    return found


TORF = """
import sys, torf
torrent = torf.Torrent.read(sys.argv[1])
try:
    sys.exit(not torrent.verify(sys.argv[2], threads=int(sys.argv[3])))
except torf.TorfError:
    sys.exit(1)
"""


def transmission_verify(torrent, folder):
    """Terminates the program after the check, because it would go on to seed or to download."""
    watch = Stopwatch()
    with tempfile.TemporaryDirectory() as settings:
        services = ("dht", "lpd", "pex", "utp", "port-forwarding")
        offline = {f"{name}-enabled": False for name in services}
        pathlib.Path(settings, "settings.json").write_text(json.dumps(offline))
        command = ["transmission-cli", "--verify", "-g", settings, "-w", folder, torrent]
        said = ""
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
        ) as program:
            # It may also report progress before it begins to verify.
            while "Seeding" not in said and said.count("Progress") < 10:
                character = program.stdout.read(1)
                if not character:
                    break
                said += character
            program.terminate()
    cpu, _ = watch.seconds()
    # It says so about ten seconds after the check.
    return "Seeding" in said, (cpu, math.nan)


def main():
    if sys.argv[1:2] == ["--recheck"]:
        return recheck(*sys.argv[2:])
    parser = argparse.ArgumentParser(
        description="Compares the CPU and wall time of whole checks of a download."
    )
    parser.add_argument("torrent_check", help="path of the torrent-check program")
    parser.add_argument("--mib", type=int, default=512, help="size of a large file in MiB")
    parser.add_argument("--runs", type=int, default=9, help="runs of each program")
    parser.add_argument(
        "--folder", help="folder for the content, instead of the system's temporary folder"
    )
    parser.add_argument(
        "--only", action="append", choices=KINDS, help="check only this kind of torrent"
    )
    parser.add_argument("--case", action="append", choices=CASES, help="check only this case")
    parser.add_argument(
        "--threads", default="1", help="threads of torrent-check, libtorrent and torf"
    )
    options = parser.parse_args()

    found = programs(os.path.abspath(options.torrent_check), options.threads)
    print(f"{cpu_name()}: minimum CPU and wall time of {options.runs} runs, "
          f"--threads {options.threads}\n")
    print("| | case | kind | CPU ms | wall ms | GB per CPU second | torrent-check's share of the "
          "CPU time | of the wall time |")
    print("|---|---|---|---|---|---|---|---|")
    for case in options.case or CASES:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            folder = pathlib.Path(folder)
            content = folder / "content"
            make_content(content, case, options.mib << 20)
            torrents = make_torrents(folder, content, CASES[case][2])
            for kind in options.only or KINDS:
                checks = {name: check for name, (kinds, check) in found.items() if kind in kinds}
                best = compare(checks, str(torrents[kind]), content, options.runs)
                report(case, kind, content, best)


def compare(checks, torrent, content, runs):
    """Runs all programs alternately, and returns the minimum CPU and wall seconds of each.

    Rivals that are wrong, or take too long, are left out.
    """
    def leave_out(name, why):
        if name == "torrent-check":
            sys.exit(f"{name} {why}")
        print(f"{name} is left out: it {why}", file=sys.stderr)
        del checks[name]
        best.pop(name, None)

    best = {}
    arguments = (torrent, str(content.parent))
    flip(content)
    for name, check in list(checks.items()):
        try:
            is_complete, _ = check(*arguments)
        except subprocess.TimeoutExpired:
            leave_out(name, f"takes more than {MAX_SECONDS} s")
            continue
        if is_complete:
            leave_out(name, "reports damaged content as complete")
    flip(content)
    for _ in range(runs):
        for name, check in list(checks.items()):
            warm(content)
            is_complete, seconds = check(*arguments)
            if not is_complete:
                leave_out(name, "reports intact content as incomplete")
                continue
            best[name] = tuple(map(min, seconds, best.get(name, seconds)))
    return best


def report(case, kind, content, best):
    """Prints a row of the table for each program."""
    size = sum(path.stat().st_size for path in files_of(content))
    own_cpu, own_wall = best["torrent-check"]
    for name, (cpu, wall) in best.items():
        print(f"| {name} | {case} | {kind} | {cpu * 1e3:.0f} | {wall * 1e3:.0f} "
              f"| {size / cpu / 1e9:.2f} | {own_cpu / cpu:.2f} | {own_wall / wall:.2f} |",
              flush=True)


def cpu_name():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def flip(content):
    """Flips a bit in the middle, or flips it back."""
    files = files_of(content)
    path = files[len(files) // 2]
    with open(path, "r+b") as file:
        file.seek(path.stat().st_size // 2)
        byte = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte ^ 1]))


if __name__ == "__main__":
    main()
