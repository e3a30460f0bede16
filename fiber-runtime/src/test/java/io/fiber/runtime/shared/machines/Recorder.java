// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Request;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Asks a machine as threads of some processes would, and notes its replies. */
final class Recorder {

    /** A reply and whose it is. */
    record Told(AskedCall call, SyncReply reply) {
        @Override
        public String toString() {
            return call + ": " + reply.outcome() + " " + reply.number();
        }
    }

    /** Somebody who only looks. */
    static final Party OUTSIDER = party(1_000_000);

    private final List<Told> told = new ArrayList<>();
    private final Set<AskedCall> open = new LinkedHashSet<>();
    private @Nullable Machine machine;

    static ProcessPath process(int number) {
        return ProcessPath.root().child(number);
    }

    static Party party(int process) {
        return new Party(process(process), 1);
    }

    /** Asks this machine from now on. */
    void of(Machine made) {
        machine = made;
    }

    private Machine machine() {
        return requireNonNull(machine, "machine");
    }

    AskedCall ask(Operation operation, Party party) {
        return ask(operation, party, 0);
    }

    AskedCall ask(Operation operation, Party party, long number) {
        return ask(operation, party, number, SealedPayload.none());
    }

    AskedCall ask(Operation operation, Party party, long number, SealedPayload item) {
        AskedCall call = new AskedCall(party, operation, number, item, this::answered);
        open.add(call);
        machine().onCall(call);
        return call;
    }

    private void answered(AskedCall call, SyncReply reply) {
        open.remove(call);
        told.add(new Told(call, reply));
    }

    /** Tells the machine something that has no answer. */
    void tell(Operation operation, Party party, long number) {
        machine().onTell(party.process(), Request.of(operation.code(), number));
    }

    /** A thread waits no longer. */
    void giveUp(AskedCall call) {
        call.giveUp();
        open.remove(call);
    }

    /** A process ends: its calls are given up first. */
    void end(ProcessPath process) {
        for (AskedCall call : List.copyOf(open)) {
            if (call.caller().isUnder(process)) {
                giveUp(call);
            }
        }
        machine().onCallerGone(process);
    }

    /** Returns the reply to a request that is answered at once. */
    SyncReply now(Operation operation, Party party, long number) {
        return replyTo(ask(operation, party, number));
    }

    SyncReply replyTo(AskedCall call) {
        return told.stream()
                .filter(each -> each.call() == call)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no reply to " + call + " in " + told))
                .reply();
    }

    Outcome outcome(AskedCall call) {
        return replyTo(call).outcome();
    }

    boolean waits(AskedCall call) {
        return !call.isAnswered();
    }

    /** Returns what was told since the last time. */
    List<Told> take() {
        List<Told> news = List.copyOf(told);
        told.clear();
        return news;
    }
}
