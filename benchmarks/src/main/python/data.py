# SPDX-License-Identifier: Apache-2.0
"""Compares how data travels in Fiber and in Python's multiprocessing; ./benchmark data runs it.

Arrays, queues and single submissions, each in programs of its own that do the test once for each line of their standard
input. Systems take turns within a round, so that what else happens on the machine meets all of them. Arrays also travel in
the plainest program of Java: worker processes that it talks to through Unix domain sockets.
"""

import argparse
import contextlib
import json
import pathlib
import statistics
import subprocess
import sys
from typing import NamedTuple

import chart
from overhead import Program

HERE = pathlib.Path(__file__).parent
SPIN = [sys.executable, "-c", "while True: pass"]


class Test(NamedTuple):
    """What is measured.

    request: the line that asks for it; fresh: each round has a program of its own; busy: how many endless loops run beside it
    """

    title: str
    request: str
    java: list[str]
    peer: list[str]
    plain: bool = False
    bytes: int = 0
    items: int = 0
    fresh: bool = False
    busy: int = 0


def moves():
    kinds = {"large": ("64 x 8 MiB", 64 * (8 << 20)), "doubles": ("64 x 8 MiB of doubles", 64 * (8 << 20))}
    kinds["small"] = ("20,000 x 4 KiB", 20_000 * (4 << 10))
    for kind, (size, total) in kinds.items():
        for way in ("there", "back", "echo"):
            name = f"{kind}_{way}"
            total_bytes = 2 * total if way == "echo" else total
            yield name, Test(f"{size}, {way}", name, ["data.DataProgram"], ["data_peer.py"], True, total_bytes)
    title = "200 MB to each of 4 workers"
    yield "broadcast", Test(title, "broadcast", ["data.DataProgram"], ["data_peer.py"], bytes=800_000_000)


def queues():
    for name, title, words in (
        ("queue_1_1", "one writer, this program reads", ["1", "0"]),
        ("queue_4_4", "4 writers, 4 readers", ["4", "4"]),
        ("queue_manager", "a manager's, one writer", ["1", "0", "manager"]),
    ):
        test = Test(f"queue: {title}", "again", ["QueueProgram", *words], ["queue_peer.py", *words], items=20_000)
        yield name, test
        yield f"{name}_busy", test._replace(title=f"{test.title}, beside 2 busy loops", busy=2)


def singles():
    for way in ("callable", "function", "executor"):
        test = Test(f"10,000 by {way}", way, ["data.SinglesProgram"], ["singles_peer.py"], items=10_000)
        yield f"singles_{way}_fresh", test._replace(title=f"{test.title}, fresh program", fresh=True)
        yield f"singles_{way}", test


TESTS = dict([*moves(), *queues(), *singles()])


def commands(test, java):
    main = f"io.fiber.benchmarks.{test.java[0]}"
    found = {
        f"fiber/{transport}": [*java, f"-Dfiber.transport={transport}", main, *test.java[1:]]
        for transport in ("socket", "aeron")
    }
    found["multiprocessing"] = [sys.executable, str(HERE / test.peer[0]), *test.peer[1:]]
    if test.plain:
        found["plain"] = [*java, "io.fiber.benchmarks.data.PlainData"]
    return found


@contextlib.contextmanager
def busy(count):
    loops = [subprocess.Popen(SPIN) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def ask(program, test):
    with busy(test.busy):
        (seconds,), cpu = program.run(test.request)
    return seconds, cpu


def once(system, command, test):
    program = Program(system, command)
    try:
        taken = ask(program, test)
        program.end()
        return taken
    finally:
        program.stop()


def rows(test, java, rounds, warm_up):
    """Returns for each system seconds and processor time of each round."""
    systems = commands(test, java)
    found = {system: [] for system in systems}
    programs = {} if test.fresh else {system: Program(system, command) for system, command in systems.items()}
    try:
        for number in range(rounds if test.fresh else warm_up + rounds):
            for system in systems if number % 2 == 0 else reversed(systems):
                taken = ask(programs[system], test) if programs else once(system, systems[system], test)
                if test.fresh or number >= warm_up:
                    found[system].append(taken)
        for program in programs.values():
            program.end()
    finally:
        for program in programs.values():
            program.stop()
    return found


def figures(test, seconds, cpu):
    if test.bytes:
        return {"mb_per_s": round(test.bytes / 1e6 / seconds), "cpu_s_per_gb": round(cpu / test.bytes * 1e9, 2)}
    return {"us_per_item": round(seconds / test.items * 1e6, 2), "items_per_s": round(test.items / seconds)}


def measure(name, java, rounds, warm_up):
    """Measures a test, prints it, and returns the medians of each system."""
    test = TESTS[name]
    medians = {}
    for system, taken in rows(test, java, rounds, warm_up).items():
        medians[system] = [statistics.median(column) for column in zip(*taken)]
        line = {"test": name, "system": system, "seconds": [round(seconds, 4) for seconds, _ in taken]}
        print(json.dumps({**line, **figures(test, *medians[system])}), flush=True)
    for system in ("fiber/socket", "fiber/aeron"):
        for other in ("multiprocessing", "plain", "fiber/socket"):
            if other in medians and other != system:
                ratio, cpu_ratio = (round(a / b, 2) if b else None for a, b in zip(medians[system], medians[other]))
                line = {"test": name, "system": system, "beside": other, "ratio": ratio, "cpu_ratio": cpu_ratio}
                print(json.dumps(line), flush=True)
    return medians


def main():
    parser = argparse.ArgumentParser(prog="./benchmark data", description=__doc__.splitlines()[0])
    parser.add_argument("tests", nargs="*", help=f"which tests, or how their names begin; all by default: {' '.join(TESTS)}")
    parser.add_argument("--rounds", type=int, default=5, help="at least 3, default 5")
    parser.add_argument("--warm-up", type=int, default=2, help="rounds that do not count, default 2")
    parser.add_argument("--plot", metavar="FILE", help="where to write a picture of the medians (SVG)")
    parser.add_argument("--java", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--class-path", required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    for begin in arguments.tests:
        if not any(name.startswith(begin) for name in TESTS):
            parser.error(f"there is no test '{begin}'; there are: {' '.join(TESTS)}")
    if arguments.rounds < 3:
        parser.error(f"--rounds is {arguments.rounds}; expected at least 3")

    chosen = [name for name in TESTS if not arguments.tests or name.startswith(tuple(arguments.tests))]
    java = [arguments.java, "-cp", arguments.class_path]
    medians = {name: measure(name, java, arguments.rounds, arguments.warm_up) for name in chosen}
    if arguments.plot:
        panels = [chart.Panel(TESTS[name].title, systems) for name, systems in medians.items()]
        pathlib.Path(arguments.plot).write_text(chart.bars(panels, ("time, s", "processor time, s")))


if __name__ == "__main__":
    main()
