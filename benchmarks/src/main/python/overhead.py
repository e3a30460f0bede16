# SPDX-License-Identifier: Apache-2.0
"""Compares what a pool costs in Fiber and in Python's multiprocessing; ./benchmark overhead runs it.

One long-lived program for each system gets the tests one by one through a pipe, in alternating order, so that what else
happens on the machine meets all systems. Start-up runs in a fresh program each time. Processor time is read from /proc
for a program and all its descendants, the dead ones included, around each test; for start-up it is what the program and
its workers used from the call to their end, since workers may still be starting when the first results are there.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import threading
import time

from items import MAKE

WORKERS = 5
TASKS = {
    "startup": WORKERS,
    "empty1": 100_000,
    "emptydef": 100_000,
    "sleep1ms": 5_000,
    "seq1ms": 1_000,
    "emptydef10m": 10_000_000,
}
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
HERE = pathlib.Path(__file__).parent


def stat_fields(pid):
    """What follows the name in /proc/PID/stat: state, parent, ...; None when the process is gone."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def own_seconds(pid, fields):
    """What a process used itself, by its processor clock, which is finer than the ticks of /proc."""
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND


def family(root):
    """Returns the fields of a process and of its living descendants."""
    processes = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (fields := stat_fields(entry)):
            processes[int(entry)] = fields
    members = {root}
    grown = True
    while grown:
        children = {pid for pid, fields in processes.items() if int(fields[1]) in members} - members
        members |= children
        grown = bool(children)
    return {pid: processes[pid] for pid in members & processes.keys()}


def cpu_seconds(root):
    """User and system time of a process, of its living descendants, and of all dead ones they waited for."""
    return sum(
        own_seconds(pid, fields) + (int(fields[13]) + int(fields[14])) / TICKS_PER_SECOND
        for pid, fields in family(root).items()
    )


class Program:
    """A program that is commanded through pipes."""

    def __init__(self, system, command, stderr=None):
        self.system = system
        environment = {k: v for k, v in os.environ.items() if k not in ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, text=True, env=environment
        )

    def run(self, test):
        """Runs a test; returns the seconds the program measured, and the processor time."""
        before = cpu_seconds(self.process.pid)
        self.process.stdin.write(test + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("RESULT "):
                seconds = [float(word) for word in line.split()[1:]]
                return seconds, cpu_seconds(self.process.pid) - before
            sys.stderr.write(line)
        sys.exit(f"The {self.system} program ended with {self.process.wait()} in test '{test}'.")

    def end(self):
        """Ends the program; returns the processor time of it and of all it waited for."""
        self.process.stdin.close()
        impatience = threading.Timer(60, self.process.kill)
        impatience.start()
        _, status, usage = os.wait4(self.process.pid, 0)
        impatience.cancel()
        self.process.returncode = os.waitstatus_to_exitcode(status)
        if self.process.returncode != 0:
            sys.exit(f"The {self.system} program ended with {self.process.returncode}.")
        return usage.ru_utime + usage.ru_stime

    def stop(self):
        """Ends the program when it was not ended in peace."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Report:
    def __init__(self, items, tests):
        self.items = items
        self.tests = tests
        self.figures = {}

    def add(self, test, system, seconds, cpu):
        self.figures.setdefault(test, {}).setdefault(system, []).append((seconds, cpu))
        line = {"test": test, "items": self.items, "system": system, "workers": WORKERS, "tasks": TASKS[test.partition("/")[0]]}
        print(json.dumps({**line, "seconds": round(seconds, 6), "cpu_s": round(cpu, 4)}), flush=True)

    def ratios(self):
        for test in self.tests:
            self.ratio(test, "multiprocessing")
        self.ratio("seq1ms", "threads")

    def ratio(self, test, other):
        ours, theirs = (
            [statistics.median(column) for column in zip(*self.figures[test][system])] for system in ("fiber", other)
        )
        ratio, cpu_ratio = (round(a / b, 3) if b else None for a, b in zip(ours, theirs))
        print(json.dumps({"test": test, "items": self.items, "beside": other, "ratio": ratio, "cpu_ratio": cpu_ratio}), flush=True)


def start_up(commands, order, report):
    for system in order:
        program = Program(system, commands[system] + ["startup"])
        try:
            booted = cpu_seconds(program.process.pid)
            seconds, _ = program.run("startup")
            cpu = program.end() - booted
            report.add("startup", system, seconds[0], cpu)
            if len(seconds) > 1:
                report.add("startup/opened", system, seconds[1], cpu)
        finally:
            program.stop()


def main():
    parser = argparse.ArgumentParser(prog="./benchmark overhead", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="at least 3, default 5")
    parser.add_argument("--items", choices=list(MAKE), default="range", help="what is mapped; default a range of ints")
    parser.add_argument("--java", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--class-path", required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.rounds < 3:
        parser.error(f"--rounds is {arguments.rounds}; expected at least 3")

    java = [arguments.java, "-cp", arguments.class_path, "io.fiber.benchmarks.OverheadProgram"]
    commands = {"fiber": java, "multiprocessing": [sys.executable, str(HERE / "multiprocessing_peer.py")]}
    # Ten million items of a list would be a test of the heap.
    tests = [test for test in TASKS if arguments.items == "range" or test not in ("startup", "emptydef10m")]
    report = Report(arguments.items, tests)
    programs = {system: Program(system, command + ["pool", arguments.items]) for system, command in commands.items()}
    programs["threads"] = Program("threads", java + ["threads"])
    try:
        for system in commands:
            programs[system].run("warmup")
        programs["threads"].run("seq1ms")
        for number in range(arguments.rounds):
            order = list(commands) if number % 2 == 0 else list(reversed(commands))
            if "startup" in tests:
                start_up(commands, order, report)
            for test in [name for name in tests if name != "startup"]:
                for system in order + (["threads"] if test == "seq1ms" else []):
                    seconds, cpu = programs[system].run(test)
                    report.add(test, system, seconds[0], cpu)
        for program in programs.values():
            program.end()
    finally:
        for program in programs.values():
            program.stop()
    report.ratios()


if __name__ == "__main__":
    main()
