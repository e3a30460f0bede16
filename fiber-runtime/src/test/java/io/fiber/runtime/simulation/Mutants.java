// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import static io.fiber.runtime.simulation.Operator.INSTEAD;
import static io.fiber.runtime.simulation.Operator.JUMP;
import static io.fiber.runtime.simulation.Operator.LARGER;
import static io.fiber.runtime.simulation.Operator.LAST;
import static io.fiber.runtime.simulation.Operator.LEAVE_OUT;
import static io.fiber.runtime.simulation.Operator.MORE;
import static io.fiber.runtime.simulation.Operator.STAY;
import static io.fiber.runtime.simulation.Operator.TWICE;
import static io.fiber.runtime.simulation.Operator.ZERO;

import java.util.List;

/** The deliberate bugs that the simulation must find. */
final class Mutants {

    private Mutants() {}

    /** Returns the classes without thread, clock and socket, in which operators make a bug wherever they apply. */
    static List<String> machines() {
        return List.of(
                "Call",
                "Chunk",
                "Dispatcher",
                "LinedMachine",
                "LinkedQueue",
                "LockMachine",
                "Machine",
                "PoolMachine",
                "ProcessMachine",
                "QueueMachine",
                "Retries",
                "TailBalancer",
                "TaskLedger",
                "TaskSlot",
                "WorkerQueue",
                "WorkerRegistry",
                "WorkerSlot",
                "WorkerStarts");
    }

    /** Returns bugs that no operator makes everywhere, and those around the machines. */
    static List<Mutant> byHand() {
        return List.of(
                Mutant.of("the same results are accepted again", "PoolMachine.onResult", TWICE, "settle"),
                Mutant.of("a slot is leaked", "PoolMachine.onWorkerEnded", INSTEAD, "remove")
                        .calling("find"),
                Mutant.of("an item runs again with maxReruns(0)", "TaskLedger.lose", MORE, "maxAttempts"),
                Mutant.of("an item that was not begun counts an attempt", "TaskLedger.lose", MORE, "lostAttempts"),
                Mutant.of("a try counts as a lost attempt", "Chunk.unsentPart", MORE, "lostAttempts"),
                Mutant.of("a chunk counts as done one answer too early", "Chunk.isDone", MORE, "answered"),
                Mutant.of(
                                "what may run only once runs again beside an item that does not end",
                                "TaskLedger.spare",
                                JUMP,
                                "maxAttempts")
                        .rare(817),
                Mutant.of("failed starts are not counted", "WorkerStarts.failed", MORE, "maxFailedStarts")
                        .rare(52),
                Mutant.of(
                                "the trial of a function lasts as long as its tasks",
                                "ChunkPlanner.isTriedByEnough",
                                LARGER,
                                "begunNs",
                                2)
                        .rare(30),
                Mutant.of(
                        "results are yielded in the order of their arrival",
                        "ResultIterator.takeEarly",
                        STAY,
                        "nextIndex"),
                Mutant.of("results are collected in the order of their arrival", "ResultArray.add", ZERO, "firstIndex"),
                Mutant.of("the feeder is not woken", "BlockSource.next", LEAVE_OUT, "run"),
                Mutant.of(
                                "what ends its workers as it arrives is sent on for ever",
                                "Chunk.nextItemAgainUnbegun",
                                LEAVE_OUT,
                                "lostUnbegun")
                        .rare(19),
                Mutant.of("a function that ends its workers ends no call", "TaskLedger.lose", LEAVE_OUT, "functionLost")
                        .rare(17),
                Mutant.of("a neighbour of an item that does not end is lost", "TaskLedger.condemn", LEAVE_OUT, "spare")
                        .rare(455),
                Mutant.of(
                                "a chunk that runs again is lost where the way was full",
                                "Dispatcher.handOutAgain",
                                LEAVE_OUT,
                                "addFirst")
                        .rare(13),
                Mutant.of(
                                "items of a call that has ended wait for their next try",
                                "PoolMachine.end",
                                LEAVE_OUT,
                                "ended",
                                2)
                        .rare(113),
                Mutant.of("an item is given to two readers", "QueueMachine.take", INSTEAD, "pollFirstEntry")
                        .calling("firstEntry"),
                Mutant.of("what returns is behind what came later", "QueueMachine.onCallerGone", LARGER, "longValue")
                        .rare(89),
                Mutant.of("what returns changes its order", "QueueMachine.onCallerGone", ZERO, "longValue")
                        .rare(89),
                Mutant.of(
                                "an item that was not acknowledged is lost with its reader",
                                "QueueMachine.onCallerGone",
                                LEAVE_OUT,
                                "hold")
                        .rare(89),
                Mutant.of("a reader or writer that gave up is served", "LinedMachine.onWithdraw", INSTEAD, "remove")
                        .calling("contains"),
                Mutant.of("a lock wakes who came last", "LockMachine.grantNext", LAST, "next"),
                Mutant.of("a lock is given to two", "LockMachine.grantNext", STAY, "holder")
                        .rare(31),
                Mutant.of("a lock stays with a process that is gone", "LockMachine.onCallerGone", JUMP, "isUnder")
                        .rare(31),
                Mutant.of("a lock is given to one who gave up", "LockMachine.onWithdraw", INSTEAD, "remove", 2)
                        .calling("get"),
                Mutant.of("silence is never noticed", "Peer.check", JUMP, "leaseNs")
                        .rare(190),
                Mutant.of("a late cycle counts as silence of the peers", "Exchange.begin", LEAVE_OUT, "forEach")
                        .rare(756),
                Mutant.of("a process ends before its last words have arrived", "WorkerShutdown.isHeard", JUMP, "heard"),
                Mutant.of(
                                "no heartbeat is sent where a clock begins below zero",
                                "Outbox.flush",
                                LEAVE_OUT,
                                "lastAcceptedNs")
                        .rare(1745),
                Mutant.of("callers are not told that a host is gone", "RpcRouter.onGone", LEAVE_OUT, "lose"),
                Mutant.of("hosts are not told that a caller is gone", "RpcRouter.onGone", LEAVE_OUT, "onGone")
                        .rare(49),
                Mutant.of("nobody is told that a process is gone", "RpcRouter.disconnect", LEAVE_OUT, "send"),
                Mutant.of("a call of a process that is gone is dropped", "RpcRouter.pass", LEAVE_OUT, "send", 3),
                Mutant.of("who gives up is not answered", "LocalDispatcher.onAbandon", LEAVE_OUT, "end"),
                Mutant.of(
                        "an object is not told that a caller gave up",
                        "LocalDispatcher.onAbandon",
                        LEAVE_OUT,
                        "giveUp"),
                Mutant.of("a message is lost where the way was full", "OutboundQueue.send", LEAVE_OUT, "add"));
    }
}
