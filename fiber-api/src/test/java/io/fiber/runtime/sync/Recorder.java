// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.ProcessPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Asks a machine as threads of some processes would, and notes its replies. */
final class Recorder implements Machine.Replies {

    /** A reply and whose it is. */
    record Told(Ticket ticket, SyncReply reply) {
        @Override
        public String toString() {
            return "#" + ticket.number() + " " + reply.outcome() + " " + reply.number();
        }
    }

    /** Somebody who only looks. */
    static final Party OUTSIDER = party(1_000_000);

    private final List<Told> told = new ArrayList<>();
    private final Set<Ticket> answered = new HashSet<>();
    private @Nullable Machine machine;
    private long lastNumber;

    static ProcessPath process(int number) {
        return ProcessPath.root().child(number);
    }

    static Party party(int process) {
        return new Party(process(process), 1);
    }

    <M extends Machine> M of(M made) {
        machine = made;
        return made;
    }

    @Override
    public void reply(Ticket ticket, SyncReply reply) {
        assertThat(answered.add(ticket)).as("the first reply to %s", ticket).isTrue();
        told.add(new Told(ticket, reply));
    }

    Ticket ask(Operation operation, Party party) {
        return ask(operation, party, 0);
    }

    Ticket ask(Operation operation, Party party, long number) {
        return ask(operation, party, number, Parcel.none());
    }

    Ticket ask(Operation operation, Party party, long number, Parcel item) {
        Ticket ticket = new Ticket(party, ++lastNumber);
        if (machine != null) {
            machine.on(new SyncRequest(operation, ticket, number, item));
        }
        return ticket;
    }

    /** Returns the reply to a request that is answered at once. */
    SyncReply now(Operation operation, Party party, long number) {
        Ticket ticket = ask(operation, party, number);
        return replyTo(ticket);
    }

    SyncReply replyTo(Ticket ticket) {
        return told.stream()
                .filter(each -> each.ticket().equals(ticket))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no reply to " + ticket + " in " + told))
                .reply();
    }

    Outcome outcome(Ticket ticket) {
        return replyTo(ticket).outcome();
    }

    boolean waits(Ticket ticket) {
        return !answered.contains(ticket);
    }

    /** Returns what was told since the last time. */
    List<Told> take() {
        List<Told> news = List.copyOf(told);
        told.clear();
        return news;
    }
}
