// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Asks a machine as threads of some processes would, and notes its replies. */
final class Recorder implements Machine.Replies {

    /** A reply and whose it is. */
    record Told(SyncTicket ticket, SyncReply reply) {
        @Override
        public String toString() {
            return "#" + ticket.number() + " " + reply.outcome() + " " + reply.number();
        }
    }

    /** Somebody who only looks. */
    static final LockHolder OUTSIDER = party(1_000_000);

    private final List<Told> told = new ArrayList<>();
    private final Set<SyncTicket> answered = new HashSet<>();
    private @Nullable Machine machine;
    private long lastNumber;

    static ProcessPath process(int number) {
        return ProcessPath.root().child(number);
    }

    static LockHolder party(int process) {
        return new LockHolder(process(process), 1);
    }

    <M extends Machine> M of(M made) {
        machine = made;
        return made;
    }

    @Override
    public void reply(SyncTicket ticket, SyncReply reply) {
        assertThat(answered.add(ticket)).as("the first reply to %s", ticket).isTrue();
        told.add(new Told(ticket, reply));
    }

    SyncTicket ask(Operation operation, LockHolder party) {
        return ask(operation, party, 0);
    }

    SyncTicket ask(Operation operation, LockHolder party, long number) {
        return ask(operation, party, number, SealedPayload.none());
    }

    SyncTicket ask(Operation operation, LockHolder party, long number, SealedPayload item) {
        SyncTicket ticket = new SyncTicket(party, ++lastNumber);
        if (machine != null) {
            machine.on(new SyncRequest(operation, ticket, number, item));
        }
        return ticket;
    }

    /** Returns the reply to a request that is answered at once. */
    SyncReply now(Operation operation, LockHolder party, long number) {
        SyncTicket ticket = ask(operation, party, number);
        return replyTo(ticket);
    }

    SyncReply replyTo(SyncTicket ticket) {
        return told.stream()
                .filter(each -> each.ticket().equals(ticket))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no reply to " + ticket + " in " + told))
                .reply();
    }

    Outcome outcome(SyncTicket ticket) {
        return replyTo(ticket).outcome();
    }

    boolean waits(SyncTicket ticket) {
        return !answered.contains(ticket);
    }

    /** Returns what was told since the last time. */
    List<Told> take() {
        List<Told> news = List.copyOf(told);
        told.clear();
        return news;
    }
}
