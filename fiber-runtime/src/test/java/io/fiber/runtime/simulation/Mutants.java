// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import java.util.List;

/** The deliberate bugs that the simulation must find. */
final class Mutants {

    private static final String LEDGER = "pool/scheduling/TaskLedger";
    private static final String CHUNK = "pool/scheduling/Chunk";
    private static final String MACHINE = "pool/scheduling/PoolMachine";
    private static final String DISPATCHER = "pool/scheduling/Dispatcher";
    private static final String REGISTRY = "pool/scheduling/WorkerRegistry";
    private static final String STARTS = "pool/scheduling/WorkerStarts";

    private Mutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "a lost chunk is not queued again",
                        LEDGER,
                        "takeBack(threads == 1 ||",
                        "if (part.count() > 100_000) takeBack(threads == 1 ||"),
                new Mutant(
                        "an attempt is forgotten when it was not announced",
                        LEDGER,
                        "chunk.count() - from, attempts + 1));",
                        "chunk.count() - from, attempts));"),
                new Mutant(
                        "an attempt is forgotten when it was announced",
                        LEDGER,
                        "again(chunk.partAgain(from, 1, attempts + 1));",
                        "again(chunk.partAgain(from, 1, attempts));"),
                new Mutant(
                        "an item that was not begun counts an attempt",
                        LEDGER,
                        "rest = chunk.partAgain(from, chunk.count() - from, attempts);",
                        "rest = chunk.partAgain(from, chunk.count() - from, attempts + 1);"),
                new Mutant(
                        "an announced item counts as begun in any case",
                        CHUNK,
                        "return announced && (begunItem == answered || isFunctionBegun());",
                        "return announced;"),
                new Mutant(
                        "an item is given up one attempt too early",
                        LEDGER,
                        "if (attempts + 1 >= chunk",
                        "if (attempts + 2 >= chunk"),
                new Mutant(
                        "an item is begun once too often",
                        LEDGER,
                        "if (attempts + 1 >= chunk",
                        "if (attempts >= chunk"),
                new Mutant(
                        "an item runs again with maxReruns(0)",
                        LEDGER,
                        "chunk.call.limits.maxAttempts()) {",
                        "Math.max(2, chunk.call.limits.maxAttempts())) {"),
                new Mutant(
                        "a chunk of items that may run once is not announced",
                        CHUNK,
                        "this.announced = call.limits.maxAttempts() == 1 || call.isSuspect() || call.isDoubted();",
                        "this.announced = false;"),
                new Mutant("what runs again is not announced", CHUNK, "        part.announced = true;\n", ""),
                new Mutant("what runs again runs beside others", CHUNK, "        alone = true;\n", ""),
                new Mutant(
                        "the whole chunk runs again after a loss",
                        LEDGER,
                        "int from = chunk.answered;\n        int attempts",
                        "int from = 0;\n        int attempts"),
                new Mutant(
                        "a cancelled chunk of a lost worker runs again",
                        LEDGER,
                        "if (!chunk.cancelled && !chunk.call.isEnded()) {",
                        "if (chunk.id > 0) {"),
                new Mutant(
                        "a lost worker's chunk stays in the ledger",
                        LEDGER,
                        "                assigned.remove(chunk.id);\n",
                        ""),
                new Mutant(
                        "an answered chunk stays at its worker", LEDGER, "        chunk.slot().release(chunk);\n", ""),
                new Mutant(
                        "the caller is not told of an item that was given up",
                        MACHINE,
                        "        call.settle(index, why);\n",
                        ""),
                new Mutant(
                        "an item that was given up is not counted as answered",
                        MACHINE,
                        "        call.answered(1, 1);\n",
                        ""),
                new Mutant(
                        "results are put at the beginning of their chunk",
                        MACHINE,
                        "long firstIndex = chunk.firstIndex() + answer.firstItem();",
                        "long firstIndex = chunk.firstIndex();"),
                new Mutant(
                        "the same results are accepted again",
                        MACHINE,
                        "call.settle(block.firstIndex(), block);",
                        "call.settle(block.firstIndex(), block);"
                                + " if (itemsAnswered % 97 == 0) call.settle(block.firstIndex(), block);"),
                new Mutant(
                        "a chunk counts as done one answer too early",
                        CHUNK,
                        "return answered == items.count();",
                        "return answered >= items.count() - 1;"),
                new Mutant(
                        "a dropped chunk is lost from sight",
                        MACHINE,
                        "if (chunk != null && chunk.cancelled) {",
                        "if (chunk != null && chunk.isDone()) {"),
                new Mutant(
                        "a worker is started twice",
                        REGISTRY,
                        "int missing = Math.min(wanted - workers.size(), room(nowNs));",
                        "int missing = Math.min(wanted - ready, room(nowNs));"),
                new Mutant(
                        "a slot is leaked when a start is postponed",
                        MACHINE,
                        "WorkerSlot worker = registry.remove(number);",
                        "WorkerSlot worker = loss.isByChance() ? registry.find(number) : registry.remove(number);"),
                new Mutant(
                                "failed starts are not counted",
                                STARTS,
                                "return failures >= limits.maxFailedStarts();",
                                "return failures > 10 * limits.maxFailedStarts();")
                        .rare(52),
                new Mutant(
                        "there is no back-off",
                        STARTS,
                        "return !delayed || nowNs",
                        "return delayed || nowNs < 0 || nowNs"),
                new Mutant(
                        "a broken pool does not tell its callers",
                        MACHINE,
                        "            call.sink.onBroken(why.get());\n",
                        ""),
                new Mutant(
                        "a closed pool does not tell who calls it",
                        MACHINE,
                        "            call.sink.onBroken(cause().orElseGet(() -> new PoolClosedException(name, state)));\n",
                        ""),
                new Mutant("a worker is never drained", DISPATCHER, "            effects.drain(worker.number);\n", ""),
                new Mutant(
                        "a drained worker is given chunks",
                        DISPATCHER,
                        "            worker.leaveQueue();\n            effects.drain",
                        "            worker.state = State.READY;\n            effects.drain"));
    }

    /** The rest of them: handing out, processes, links, and what is around the machines. */
    static List<Mutant> more() {
        return List.of(
                new Mutant(
                        "a worker that is gone is given chunks",
                        DISPATCHER,
                        "    void gone(WorkerSlot worker) {\n        worker.leaveQueue();\n",
                        "    void gone(WorkerSlot worker) {\n"),
                new Mutant(
                        "a chunk is lost where the way was full",
                        DISPATCHER,
                        "                ledger.unsent.addFirst(chunk);\n",
                        ""),
                new Mutant(
                        "a chunk that runs again is lost where the way was full",
                        DISPATCHER,
                        "                ledger.again.addFirst(chunk);\n",
                        ""),
                new Mutant(
                        "a worker whose way was full gets nothing any more",
                        DISPATCHER,
                        "slot = full.poll()) {\n            giveBack(slot);",
                        "slot = full.poll()) {\n            slot.leaveQueue();"),
                new Mutant(
                        "a call that had nothing to do loses its turn",
                        DISPATCHER,
                        "        turns.addAll(empty);\n",
                        ""),
                new Mutant(
                        "the first call is served before all others",
                        DISPATCHER,
                        "                turns.add(call);\n",
                        "var rest = new LinkedQueue<Call>(); rest.addAll(turns); turns.add(call); turns.addAll(rest);"),
                new Mutant(
                        "a worker that ran a chunk alone is counted for ever",
                        DISPATCHER,
                        "            alone--;\n        }\n        ledger.release",
                        "        }\n        ledger.release"),
                new Mutant(
                        "what a worker gives back is lost",
                        DISPATCHER,
                        "                ledger.takeBack(chunk.unsentPart(kept, returned));\n",
                        ""),
                new Mutant(
                        "one item too many is given back",
                        DISPATCHER,
                        "takeBack(chunk.unsentPart(kept, returned));",
                        "takeBack(chunk.unsentPart(kept - (kept > 0 ? 1 : 0), returned + (kept > 0 ? 1 : 0)));"),
                new Mutant(
                        "what ends its workers as it arrives is sent on for ever",
                        "pool/scheduling/Chunk",
                        "        part.lostUnbegun = workersLost;\n",
                        ""),
                new Mutant(
                        "a function that ends its workers ends no call",
                        "pool/scheduling/TaskLedger",
                        "            lethal.functionLost();\n",
                        ""),
                new Mutant("a reservation is never given back", DISPATCHER, "            reserved--;\n", ""),
                new Mutant(
                        "items are started though nobody takes results",
                        DISPATCHER,
                        "call.sink.hasRoom() ? next(call, slot, atMost) : null",
                        "next(call, slot, atMost)"),
                new Mutant(
                        "a worker gets more items than it may",
                        DISPATCHER,
                        "return limits.maxTasksPerWorker().isPresent()\n",
                        "return limits.workers() > 99_999\n"),
                new Mutant(
                                "the trial of a function lasts as long as its tasks",
                                "pool/scheduling/ChunkPlanner",
                                "nowNs - call.begunNs() < TRIAL_NS",
                                "nowNs - call.begunNs() < 100 * TRIAL_NS")
                        .rare(30),
                new Mutant(
                        "results are yielded in the order of their arrival",
                        "pool/ResultIterator",
                        "order == Order.INPUT && firstIndex(first) != nextIndex",
                        "order == null"),
                new Mutant(
                        "results are collected in the order of their arrival",
                        "pool/ResultArray",
                        "int first = Math.toIntExact(block.firstIndex());",
                        "int first = size;"),
                new Mutant(
                        "the feeder is not woken",
                        "pool/BlockSource",
                        "            if (feederWaits && isWorthFeeding()) {",
                        "            if (feederWaits && isClosed()) {"),
                new Mutant(
                                "silence is never noticed",
                                "eventloop/Peer",
                                "} else if (connected && nowNs - lastHeardNs > leaseNs) {",
                                "} else if (connected && nowNs == lastHeardNs - 1) {")
                        .rare(190),
                new Mutant(
                                "a late cycle counts as silence of the peers",
                                "eventloop/Exchange",
                                "            peers.forEach(peer -> peer.extendLease(delayNs));\n",
                                "")
                        .rare(756),
                new Mutant(
                        "a process ends before its last words have arrived",
                        "worker/WorkerShutdown",
                        "return heard ||",
                        "return left ||"));
    }
}
