// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import java.util.List;

/** Deliberate bugs of workers that have several task threads. */
final class ThreadMutants {

    private static final String LEDGER = "pool/scheduling/TaskLedger";
    private static final String DISPATCHER = "pool/scheduling/Dispatcher";

    private ThreadMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "only the first thread of a lost worker gives back what it had",
                        LEDGER,
                        "for (TaskSlot slot : worker.slots) {",
                        "for (TaskSlot slot : worker.slots.subList(0, 1)) {"),
                new Mutant(
                                "neighbours of an item that does not end count an attempt",
                                LEDGER,
                                "        takeBack(chunk, from);\n    }\n\n    private void takeBack",
                                "        lose(chunk, loss);\n    }\n\n    private void takeBack")
                        .rare(455),
                new Mutant(
                                "a neighbour of an item that does not end runs again though it may not",
                                LEDGER,
                                "chunk.hasBegun() && chunk.call.limits.maxAttempts() == 1) {",
                                "chunk.hasBegun() && chunk.call.limits.maxAttempts() == 0) {")
                        .rare(817),
                new Mutant(
                        "the last attempt runs beside others where a worker has several threads",
                        LEDGER,
                        "threads == 1 || part.isLastAttempt()",
                        "threads == 1"),
                new Mutant(
                        "a worker counts as idle when one of its threads is",
                        "pool/scheduling/WorkerQueue",
                        "idle.first(slot -> slot.worker.isIdle())",
                        "idle.first(slot -> slot.isIdle())"),
                new Mutant(
                        "the threads of a worker that was kept free are not given anything again",
                        DISPATCHER,
                        "            worker.slots.forEach(this::giveBack);\n",
                        "            giveBack(slot);\n"),
                new Mutant(
                        "beside what runs alone the other threads go on",
                        "pool/scheduling/WorkerQueue",
                        "        found.worker.leaveQueue();\n",
                        "        found.worker.slots.get(0).leaveQueue();\n"),
                new Mutant(
                        "threads together run more tasks than their worker may",
                        "pool/scheduling/TaskSlot",
                        "        worker.given(chunk.count());",
                        "        worker.given(number == 0 ? chunk.count() : 0);"));
    }
}
