# SPDX-License-Identifier: Apache-2.0
"""Compares the types beside pools with their peers in Python's multiprocessing; ./benchmark types runs it.

Each test has a program for each system that does the test once for each line of its standard input and answers with a
line RESULT and the seconds it took. Systems take turns within a round, so that what else happens on the machine meets all
of them. The first runs warm up and do not count.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


class Program:
    def __init__(self, name, command, request):
        self.name = name
        self.request = request
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self):
        """Does the test once; returns the seconds."""
        self.process.stdin.write(self.request + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("RESULT "):
                return float(line.split()[1])
            sys.stderr.write(line)
        sys.exit(f"The program '{self.name}' ended with {self.process.wait()}.")

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def async_cartpole(java):
    """4 environments, 5,000 steps each: in turn, all at once, and in turn by Python."""
    program = java + ["io.fiber.benchmarks.CartPoleProgram"]
    return [
        Program("fiber sync", program, "sync"),
        Program("fiber async", program, "async"),
        Program("multiprocessing", [sys.executable, str(HERE / "cartpole_peer.py")], "sync"),
    ], [("fiber sync", "fiber async"), ("multiprocessing", "fiber sync"), ("multiprocessing", "fiber async")]


def pipe(test):
    """A round trip of 64 bytes through a pipe; the seconds are the median of many."""

    def programs(java):
        return [
            Program("fiber", java + ["io.fiber.benchmarks.PipeProgram"], test),
            Program("multiprocessing", [sys.executable, str(HERE / "pipe_peer.py")], test),
        ], [("multiprocessing", "fiber")]

    return programs


def all_reduce_100mb(java):
    """All-reduce of 100 MB of floats over 4 members: processes, and threads of one JVM that copy arrays."""
    program = java + ["io.fiber.benchmarks.RingProgram"]
    return [
        Program("fiber", program, "again"),
        Program("threads", program + ["threads"], "again"),
    ], [("fiber", "threads")]


TESTS = {
    "all_reduce_100mb": all_reduce_100mb,
    "async_cartpole": async_cartpole,
    "pipe_rtt_hot": pipe("pipe_rtt_hot"),
    "pipe_rtt_hot_then_20ms": pipe("pipe_rtt_hot_then_20ms"),
    "pipe_rtt_after_20ms": pipe("pipe_rtt_after_20ms"),
}


def measure(test, java, rounds, warm_up):
    programs, ratios = TESTS[test](java)
    seconds = {program.name: [] for program in programs}
    try:
        for number in range(warm_up + rounds):
            for program in programs if number % 2 == 0 else reversed(programs):
                taken = program.run()
                if number >= warm_up:
                    seconds[program.name].append(taken)
                    print(json.dumps({"test": test, "system": program.name, "seconds": round(taken, 9)}), flush=True)
    finally:
        for program in programs:
            program.end()
    for slow, fast in ratios:
        ratio = statistics.median(seconds[slow]) / statistics.median(seconds[fast])
        print(json.dumps({"test": test, "ratio": f"{slow} / {fast}", "value": round(ratio, 2)}), flush=True)


def main():
    parser = argparse.ArgumentParser(prog="./benchmark types", description=__doc__.splitlines()[0])
    parser.add_argument("tests", nargs="*", help=f"which tests; all by default: {' '.join(TESTS)}")
    parser.add_argument("--rounds", type=int, default=5, help="at least 3, default 5")
    parser.add_argument("--warm-up", type=int, default=2, help="rounds that do not count, default 2")
    parser.add_argument("--java", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--class-path", required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    for test in arguments.tests:
        if test not in TESTS:
            parser.error(f"there is no test '{test}'; there are: {' '.join(TESTS)}")
    if arguments.rounds < 3:
        parser.error(f"--rounds is {arguments.rounds}; expected at least 3")
    for test in arguments.tests or TESTS:
        measure(test, [arguments.java, "-cp", arguments.class_path], arguments.rounds, arguments.warm_up)


if __name__ == "__main__":
    main()
