// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import java.util.List;

/** Deliberate bugs of queues, of locks, and of what carries calls between processes. */
final class SharedMutants {

    private static final String QUEUE = "shared/machines/QueueMachine";
    private static final String QUEUE_HOST = "shared/machines/Machine";
    private static final String LINES = "shared/machines/LinedMachine";
    private static final String LOCK = "shared/machines/LockMachine";
    private static final String DISPATCHER = "rpc/LocalDispatcher";
    private static final String ROUTER = "rpc/RpcRouter";

    private SharedMutants() {}

    static List<Mutant> ofQueues() {
        return List.of(
                new Mutant(
                                "an item that was not acknowledged is lost with its reader",
                                QUEUE,
                                "                hold(each.getKey(), each.getValue().item());\n",
                                "")
                        .rare(44),
                new Mutant("an item is given to two readers", QUEUE, "items.pollFirstEntry()", "items.firstEntry()"),
                new Mutant(
                        "an acknowledgement is forgotten",
                        QUEUE,
                        "case RECEIVED -> taken.remove(call.number());",
                        "case RECEIVED -> {}"),
                new Mutant(
                                "what returns is behind what came later",
                                QUEUE,
                                "hold(each.getKey(), each.getValue().item());",
                                "hold(++lastSerial, each.getValue().item());")
                        .rare(158),
                new Mutant(
                                "what returns changes its order",
                                QUEUE,
                                "hold(each.getKey(), each.getValue().item());",
                                "hold(-each.getKey(), each.getValue().item());")
                        .rare(44),
                new Mutant(
                        "a writer that waits is not told when there is room",
                        LINES,
                        "if (answers(call)) {\n            serve();\n",
                        "if (answers(call)) {\n            if (call.operation() != Operation.TAKE) serve();\n"),
                new Mutant(
                        "a queue takes one item more than it may",
                        QUEUE,
                        "(items.size() < capacity &&",
                        "(items.size() <= capacity &&"),
                new Mutant(
                        "a reader that gave up is given items",
                        LINES,
                        "line.remove(call)",
                        "(call.operation() == Operation.TAKE ? line.contains(call) : line.remove(call))"),
                new Mutant(
                        "a writer that gave up adds its item",
                        LINES,
                        "line.remove(call)",
                        "(call.operation() == Operation.PUT ? line.contains(call) : line.remove(call))"),
                new Mutant(
                        "a closed queue counts as drained while items may return",
                        QUEUE,
                        "} else if (closed && taken.isEmpty()) {",
                        "} else if (closed) {"),
                new Mutant(
                        "a closed queue does not tell writers that wait",
                        QUEUE,
                        "        if (closed) {\n            call.reply(Outcome.CLOSED);\n",
                        "        if (closed) {\n            if (!isAwaited(Operation.PUT)) call.reply(Outcome.CLOSED);\n"),
                new Mutant(
                                "a queue does not hear that a reader is gone",
                                QUEUE,
                                "boolean returns = each.getValue().party().process().isUnder(process);",
                                "boolean returns = false;")
                        .rare(44),
                new Mutant(
                        "a queue does not hear that a reader gave up",
                        QUEUE_HOST,
                        "            call.onAbandoned(() -> onWithdraw(asked));\n",
                        ""));
    }

    static List<Mutant> ofLocksAndCalls() {
        return List.of(
                new Mutant(
                                "a lock stays with a process that is gone",
                                LOCK,
                                "            holderDied = true;\n            release();\n",
                                "            holderDied = true;\n")
                        .rare(234),
                new Mutant(
                        "a lock that is given back wakes nobody",
                        LOCK,
                        "        tellsAbandoned = false;\n        grantNext();\n",
                        "        tellsAbandoned = false;\n"),
                new Mutant(
                        "a lock wakes who came last",
                        LOCK,
                        "Map.Entry<SyncCall, Entry> next = each.next();",
                        "Map.Entry<SyncCall, Entry> next = each.next(); while (each.hasNext()) next = each.next();"),
                new Mutant("two grants of a lock have one epoch", LOCK, "        epoch++;\n", ""),
                new Mutant(
                                "a lock is given to two",
                                LOCK,
                                "if (holder == null && each.hasNext()) {",
                                "if (each.hasNext()) {")
                        .rare(31),
                new Mutant(
                        "a lock is given to one who gave up",
                        LOCK,
                        "waited == null ? entries.remove(call) : waited;",
                        "waited == null ? entries.get(call) : waited;"),
                new Mutant(
                        "callers are not told that a host is gone",
                        ROUTER,
                        "        lose(call -> call.to().host().isUnder(who), call -> Reply.Reason.gone(call.to(), who, how));\n",
                        ""),
                new Mutant("hosts are not told that a caller is gone", ROUTER, "        dispatcher.onGone(who);\n", "")
                        .rare(49),
                new Mutant(
                        "nobody is told that a process is gone",
                        ROUTER,
                        "            send(RpcMessage.gone(path, child, text), seals);\n",
                        ""),
                new Mutant(
                        "a call of a process that is gone is dropped",
                        ROUTER,
                        "                send(RpcMessage.gone(message.from(), child, text), seals);\n",
                        ""),
                new Mutant(
                        "who gives up is not answered", DISPATCHER, "            call.end(RpcKind.ABANDONED);\n", ""),
                new Mutant(
                        "an object is not told that a caller gave up",
                        DISPATCHER,
                        "            call.giveUp();\n            call.end(",
                        "            call.end("),
                new Mutant(
                        "a message is lost where the way was full",
                        "rpc/OutboundQueue",
                        "waiting.isEmpty() && exit.test(message)) {",
                        "waiting.isEmpty() && (exit.test(message) || sealedWith == seals)) {"));
    }
}
