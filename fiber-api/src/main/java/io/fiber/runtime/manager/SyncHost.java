// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.manager;

import io.fiber.runtime.service.Hosted;
import io.fiber.runtime.service.Request;
import io.fiber.runtime.service.ServiceCall;
import io.fiber.runtime.sync.Machine;
import io.fiber.runtime.sync.Operation;
import io.fiber.runtime.sync.Party;
import io.fiber.runtime.sync.SyncReply;
import io.fiber.runtime.sync.SyncRequest;
import io.fiber.runtime.sync.Ticket;
import io.fiber.runtime.wire.ProcessPath;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Connects a machine with its callers. Everything happens on the conductor: requests are numbers, and items pass through
 * unread.
 */
final class SyncHost implements Hosted {

    private static final Operation[] OPERATIONS = Operation.values();

    private final Machine machine;
    private final Map<Ticket, ServiceCall> waiting = new HashMap<>();
    private long lastTicket;

    SyncHost(Function<Machine.Replies, Machine> maker) {
        this.machine = maker.apply(this::reply);
    }

    @Override
    public void onCall(ServiceCall call) {
        long argument = call.request().argument();
        Ticket ticket = new Ticket(new Party(call.caller(), SyncArgument.thread(argument)), ++lastTicket);
        waiting.put(ticket, call);
        machine.on(new SyncRequest(
                OPERATIONS[call.request().operation()],
                ticket,
                SyncArgument.number(argument),
                call.request().body()));
        if (waiting.containsKey(ticket)) {
            call.onAbandoned(() -> withdraw(ticket));
        }
    }

    /** What is told has all of the argument for its number, as no thread is asked back. */
    @Override
    public void onTell(ProcessPath from, Request request) {
        Ticket ticket = new Ticket(new Party(from, 0), ++lastTicket);
        machine.on(new SyncRequest(OPERATIONS[request.operation()], ticket, request.argument(), request.body()));
    }

    private void withdraw(Ticket ticket) {
        if (waiting.remove(ticket) != null) {
            machine.onWithdraw(ticket);
        }
    }

    private void reply(Ticket ticket, SyncReply reply) {
        ServiceCall call = waiting.remove(ticket);
        if (call != null) {
            call.answer(SyncArgument.ofReply(reply), reply.item());
        }
    }

    @Override
    public void onCallerGone(ProcessPath caller) {
        machine.onGone(caller);
    }
}
