# SPDX-License-Identifier: Apache-2.0
"""Compares Fiber with other systems that run tasks in worker processes; ./benchmark peers runs it.

Each step of each system has programs of its own, all systems in turn in an order that moves on with every round. A program
starts five worker processes on this host, which run one task at a time, and ends them. JVMs have a heap of 512 MB and the
serial collector. Before the first round each system runs once, so that files are in memory and archives of classes are there: Fiber
makes its own, the other JVMs get theirs by the JDK's options, but for the executors of Spark.
"""

import argparse
import ctypes
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import chart
from overhead import Program, family

HERE = pathlib.Path(__file__).parent
STEPS = {
    "start": "start, to a result of each of 5 workers",
    "separate": "{:,} tasks that return their argument, one by one",
    "naps": "{:,} tasks of 1 ms in one call",
}
COLUMNS = {"seconds": "time, s", "whole_s": "whole program, s", "whole_cpu_s": "its processor time, s"}
PR_SET_CHILD_SUBREAPER = 36


class Tree(Program):
    """A program whose end is that of its last descendant. Those whose parent has ended become children of this process."""

    def end(self):
        """Ends the program; returns the processor time of it and of all its descendants."""
        self.process.stdin.close()
        impatience = threading.Timer(120, self.kill)
        impatience.start()
        used = 0
        try:
            while True:
                pid, status, usage = os.wait4(-1, 0)
                used += usage.ru_utime + usage.ru_stime
                if pid == self.process.pid:
                    self.process.returncode = os.waitstatus_to_exitcode(status)
        except ChildProcessError:
            impatience.cancel()
        if self.process.returncode != 0:
            sys.exit(f"The {self.system} program ended with {self.process.returncode}.")
        return used

    def kill(self):
        print(f"Processes of the {self.system} program have not ended within 120 s, and are killed.", file=sys.stderr)
        for pid in family(os.getpid()).keys() - {os.getpid()}:
            os.kill(pid, signal.SIGKILL)


def commands(arguments, directory):
    """Returns the commands of the systems that can be had here; says which can not."""
    java = [arguments.java, "-Xmx512m", "-XX:+UseSerialGC"]
    found = {
        "fiber": [*java, "-cp", arguments.class_path, "io.fiber.benchmarks.peers.FiberPeer"],
        "multiprocessing": [sys.executable, str(HERE / "peer_multiprocessing.py")],
    }
    for name in ("Hazelcast", "Ignite", "Spark"):
        home = pathlib.Path(arguments.peers, name.lower()).resolve()
        jars = home / "target/quick/jars"
        if jars.is_dir():
            program = f"io.fiber.benchmarks.peers.{name.lower()}.{name}Peer"
            class_path = f"{jars}/*:{home}/target/quick/peer.jar"
            archive = f"-Dpeer.archive={directory}/{name.lower()}-workers.jsa"
            found[name.lower()] = [*java, archive, f"@{home}/jvm.options", "-cp", class_path, program]
            if name == "Spark":
                # As much of a distribution as a cluster in one process needs.
                pathlib.Path(directory, "jars").symlink_to(jars)
                os.environ.update(SPARK_HOME=directory, SPARK_SCALA_VERSION="2.13")
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import distributed, dask.bag"], stderr=subprocess.DEVNULL).returncode == 0:
            found["dask"] = [python, str(HERE / "peer_dask.py")]
            break
    else:
        print("No Dask: python3 has no module 'distributed' (Debian: python3-distributed).", file=sys.stderr)
    print("No Ray: its programs are in a package for Python only.", file=sys.stderr)
    return found


def run(system, command, step, tasks):
    """Runs a step in a program of its own; returns seconds of the step, of the whole program, and its processor time."""
    with tempfile.TemporaryFile("w+") as errors:
        begin = time.perf_counter()
        program = Tree(system, [*command, step, str(tasks)], errors)
        try:
            program.run("start")
            seconds = time.perf_counter() - begin
            if step != "start":
                (seconds,), _ = program.run("step")
            cpu = program.end()
            return seconds, time.perf_counter() - begin, cpu
        except SystemExit:
            # Some systems also write there what is no fault.
            errors.seek(0)
            sys.stderr.write(errors.read())
            raise
        finally:
            program.stop()


def with_option(command, option):
    """Gives an option to the JVM of a peer. Fiber makes its archive by itself."""
    return [command[0], option, *command[1:]] if any("peer.archive" in word for word in command) else command


def figures(rounds, steps, systems, tasks, directory):
    """Prints each measurement, and returns the medians by step and system."""
    for system, command in systems.items():
        archive = pathlib.Path(directory, f"{system}.jsa")
        run(system, with_option(command, f"-XX:ArchiveClassesAtExit={archive}"), "start", 0)
        systems[system] = with_option(command, f"-XX:SharedArchiveFile={archive}")
    found = {}
    names = list(systems)
    for number in range(rounds):
        first = number % len(names)
        for step in steps:
            for system in names[first:] + names[:first]:
                row = run(system, systems[system], step, tasks.get(step, 0))
                found.setdefault((step, system), []).append(row)
                values = dict(zip(COLUMNS, (round(value, 4) for value in row)))
                load = round(os.getloadavg()[0], 2)
                print(json.dumps({"step": step, "system": system, **values, "load": load}), flush=True)
    return {key: [statistics.median(column) for column in zip(*rows)] for key, rows in found.items()}


def ratios(medians, steps, systems):
    for step in steps:
        for system in systems:
            if system != "fiber":
                row = [round(a / b, 3) for a, b in zip(medians[step, "fiber"], medians[step, system])]
                names = ("ratio", "whole_ratio", "whole_cpu_ratio")
                print(json.dumps({"step": step, "system": "fiber", "beside": system, **dict(zip(names, row))}), flush=True)


def table(medians, steps, systems, tasks):
    """Prints the medians as they stand in docs/performance.md."""
    head = [cell for step in steps for cell in (f"`{step}`", "program", "processor")]
    if "separate" in steps:
        head.append("tasks/s")
    print("\n|system|" + "|".join(head) + "|")
    print("|---" * (1 + len(head)) + "|")
    for system in systems:
        cells = [f"{value:.3g}" for step in steps for value in medians[step, system]]
        if "separate" in steps:
            cells.append(f"{tasks['separate'] / medians['separate', system][0]:,.0f}")
        print(f"|{system}|" + "|".join(cells) + "|")


def times(medians, systems, tasks):
    """Returns a chart of what a user waits for."""
    columns = ("first result of each worker, s", f"{tasks:,} single tasks, s", "whole program with these tasks, s")
    rows = {name: [medians["start", name][0], *medians["separate", name][:2]] for name in systems}
    title = f"Five workers on {os.cpu_count()} processors: seconds, less is better"
    return chart.bars([chart.Panel(title, rows)], columns)


def main():
    parser = argparse.ArgumentParser(prog="./benchmark peers", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="default 3")
    parser.add_argument("--systems", nargs="+", metavar="NAME", help="beside Fiber; default all that can be had")
    parser.add_argument("--steps", nargs="+", choices=list(STEPS), default=list(STEPS), metavar="STEP", help="default all")
    parser.add_argument("--separate", type=int, default=10_000, metavar="N", help="how many separate tasks, default 10,000")
    parser.add_argument("--naps", type=int, default=5_000, metavar="N", help="how many tasks of 1 ms, default 5,000")
    parser.add_argument("--plot", metavar="FILE", help="where to write a picture of the medians (SVG); FILE-time.svg has the times alone")
    parser.add_argument("--java", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--class-path", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--peers", required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error(f"--rounds is {arguments.rounds}; expected at least 1")

    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    tasks = {"separate": arguments.separate, "naps": arguments.naps}
    with tempfile.TemporaryDirectory() as directory:
        systems = commands(arguments, directory)
        chosen = ["fiber", *arguments.systems] if arguments.systems else list(systems)
        for name in chosen:
            if name not in systems:
                parser.error(f"--systems has '{name}'; expected some of {', '.join(systems)}")
        systems = {name: systems[name] for name in chosen}
        medians = figures(arguments.rounds, arguments.steps, systems, tasks, directory)
    ratios(medians, arguments.steps, systems)
    table(medians, arguments.steps, systems, tasks)
    if arguments.plot:
        panels = [
            chart.Panel(STEPS[step].format(tasks.get(step)), {system: medians[step, system] for system in systems})
            for step in arguments.steps
        ]
        file = pathlib.Path(arguments.plot)
        file.write_text(chart.bars(panels, COLUMNS.values()))
        if {"start", "separate"} <= set(arguments.steps):
            file.with_stem(file.stem + "-time").write_text(times(medians, systems, tasks["separate"]))


if __name__ == "__main__":
    main()
