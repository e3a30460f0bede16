# SPDX-License-Identifier: Apache-2.0
"""Tells what an idle pool of 4 costs beside a plain JVM that sleeps; ./benchmark idle runs it.

A program for each transport, and one without Fiber, do nothing at the same time. From 60 s after the start of the last one,
processor time and voluntary context switches of each thread are counted: the latter are how often it has gone to sleep.
"""

import argparse
import collections
import json
import pathlib
import sys
import time

from overhead import Program, family

SETTLED_S = 60
# What is below both is part of the sums only.
LEAST_PERCENT = 0.01
LEAST_WAKE_UPS = 0.2


def threads(pid):
    """Returns seconds of processor time and voluntary context switches by the names of threads."""
    found = collections.defaultdict(lambda: (0.0, 0))
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            name = (task / "comm").read_text().strip()
            seconds = int((task / "schedstat").read_text().split()[0]) / 1e9
            status = dict(line.split(":", 1) for line in (task / "status").read_text().splitlines())
        except (FileNotFoundError, ProcessLookupError):
            continue
        before = found[name]
        found[name] = (before[0] + seconds, before[1] + int(status["voluntary_ctxt_switches"]))
    return found


def processes(program):
    """Returns the processes of a program by what they are: the master, workers in the order of their start, and others."""
    names = {}
    for pid in sorted(family(program.process.pid)):
        name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
        workers = sum(each.startswith("worker") for each in names)
        names["master" if not names else f"worker {workers + 1}" if name == "java" else f"{name} {pid}"] = pid
    return names


def tell(system, process, thread, cpu_s, wake_ups, duration_s):
    percent, rate = 100 * cpu_s / duration_s, wake_ups / duration_s
    if thread == "all" or percent >= LEAST_PERCENT or rate >= LEAST_WAKE_UPS:
        line = {"system": system, "process": process, "thread": thread}
        print(json.dumps({**line, "cpu_percent": round(percent, 3), "wake_ups_per_s": round(rate, 2)}), flush=True)
    return percent, rate


def count(systems, duration_s):
    """Prints a line for each thread, process and system; returns the last ones' processor time and processes."""
    before = {}
    for system, program in systems.items():
        before[system] = {process: (pid, threads(pid)) for process, pid in processes(program).items()}
    time.sleep(duration_s)
    totals = {}
    for system, all_before in before.items():
        sums = [0.0, 0]
        for process, (pid, earlier) in all_before.items():
            own = [0.0, 0]
            for thread, (seconds, switches) in sorted(threads(pid).items()):
                grown = seconds - earlier[thread][0], switches - earlier[thread][1]
                tell(system, process, thread, *grown, duration_s)
                own = [a + b for a, b in zip(own, grown)]
            tell(system, process, "all", *own, duration_s)
            sums = [a + b for a, b in zip(sums, own)]
        percent, _ = tell(system, "all", "all", *sums, duration_s)
        totals[system] = (percent, sum(process.startswith(("master", "worker")) for process in all_before))
    return totals


def main():
    parser = argparse.ArgumentParser(prog="./benchmark idle", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60, help="how long to count, default 60")
    parser.add_argument("--java", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--class-path", required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not pathlib.Path("/proc/self/task").is_dir():
        sys.exit("./benchmark idle reads /proc/PID/task, which this system does not have. Run it on Linux.")

    java = ["-cp", arguments.class_path, "io.fiber.benchmarks.IdleProgram"]
    commands = {f"fiber/{transport}": [f"-Dfiber.transport={transport}", *java, "fiber"] for transport in ("socket", "aeron")}
    commands["jvm"] = [*java, "jvm"]
    systems = {}
    try:
        for system, command in commands.items():
            systems[system] = Program(system, [arguments.java, *command])
            systems[system].run("start")
        time.sleep(SETTLED_S)
        totals = count(systems, arguments.seconds)
        for program in systems.values():
            program.end()
    finally:
        for program in systems.values():
            program.stop()
    jvm = totals.pop("jvm")[0]
    for system, (percent, jvms) in totals.items():
        line = {"system": system, "beside": f"{jvms} sleeping JVMs", "cpu_percent_above": round(percent - jvms * jvm, 2)}
        print(json.dumps({**line, "ratio": round(percent / (jvms * jvm), 2)}), flush=True)


if __name__ == "__main__":
    main()
