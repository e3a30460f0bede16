// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import java.util.List;

/** Deliberate bugs of items that throw and are tried again, of what may begin only once, and of clocks. */
final class RetryMutants {

    private static final String RETRIES = "pool/scheduling/Retries";
    private static final String CHUNK = "pool/scheduling/Chunk";
    private static final String MACHINE = "pool/scheduling/PoolMachine";
    private static final String AGENT = "worker/WorkerAgent";

    private RetryMutants() {}

    static List<Mutant> ofTries() {
        return List.of(
                new Mutant(
                        "an item that throws is tried once too often",
                        RETRIES,
                        ">= retry.times()) {",
                        "> retry.times()) {"),
                new Mutant(
                        "an item that throws is tried once too little",
                        RETRIES,
                        "(tries == null ? 0 : tries.failures.size()) >= retry.times()",
                        "(tries == null ? 1 : tries.failures.size() + 1) >= retry.times()"),
                new Mutant("an item is tried again without a pause", RETRIES, " + pauseNs, total++", ", total++"),
                new Mutant("pauses do not grow", RETRIES, "            doubled *= 2;\n", ""),
                new Mutant(
                        "an item in its pause is forgotten",
                        RETRIES,
                        "            taker.accept(waiting.remove().item());\n",
                        "            waiting.remove();\n"),
                new Mutant(
                        "an item in its pause is forgotten when a call ends",
                        RETRIES,
                        "each.item().call == call",
                        "each.item().call != call"),
                new Mutant(
                        "items of a call that has ended wait for their next try",
                        MACHINE,
                        "        retries.ended(call);\n",
                        ""),
                new Mutant("a failed try is forgotten", RETRIES, "        tries.failures.add(failure);\n", ""),
                new Mutant(
                        "the last failure comes without the earlier ones",
                        "pool/scheduling/Call",
                        "if (failed != null && !hasReturned) {",
                        "if (failed != null && hasReturned) {"),
                new Mutant(
                        "another item is tried again",
                        MACHINE,
                        "chunk.unsentPart(answer.firstItem(), 1)",
                        "chunk.unsentPart(0, 1)"),
                new Mutant(
                        "the rest of a chunk is tried again, too",
                        MACHINE,
                        "chunk.unsentPart(answer.firstItem(), 1)",
                        "chunk.unsentPart(answer.firstItem(), chunk.count() - answer.firstItem())"),
                new Mutant(
                        "a failure that is final is tried again",
                        MACHINE,
                        "return answer.mayBeRetried()\n",
                        "return answer.count() == 1 && answer.failed() == 1\n"),
                new Mutant(
                        "a try forgets attempts that were lost",
                        CHUNK,
                        "        part.lostAttempts = lostAttempts;\n",
                        ""),
                new Mutant(
                        "a try counts as a lost attempt",
                        CHUNK,
                        "        part.lostAttempts = lostAttempts;\n",
                        "        part.lostAttempts = lostAttempts + 1;\n"));
    }

    static List<Mutant> ofGrants() {
        return List.of(
                new Mutant(
                                "an item begins as soon as its announcement is on its way",
                                AGENT,
                                "            executor.taken();\n",
                                "            executor.taken();\n            if (report instanceof Report.Begun begun)"
                                        + " executor.granted(chunks.get(begun.chunk()), begun.item());\n")
                        .rare(42),
                new Mutant(
                        "an item is let begin that does not count as begun",
                        MACHINE,
                        "            chunk.begun(item);\n",
                        ""),
                new Mutant(
                        "what is announced is never let begin",
                        MACHINE,
                        "            effects.grant(number, chunk, item);\n",
                        ""),
                new Mutant(
                                "no heartbeat is sent where a clock begins below zero",
                                "protocol/Outbox",
                                "            lastAcceptedNs = nowNs;\n        }\n        long before",
                                "        }\n        long before")
                        .rare(1745));
    }
}
