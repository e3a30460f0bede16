// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.ServiceCall;
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
    private final Map<SyncTicket, ServiceCall> waiting = new HashMap<>();
    private long lastTicket;

    SyncHost(Function<Machine.Replies, Machine> maker) {
        this.machine = maker.apply(this::reply);
    }

    @Override
    public void onCall(ServiceCall call) {
        long argument = call.request().argument();
        SyncTicket ticket = new SyncTicket(new LockHolder(call.caller(), SyncArgument.thread(argument)), ++lastTicket);
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
        SyncTicket ticket = new SyncTicket(new LockHolder(from, 0), ++lastTicket);
        machine.on(new SyncRequest(OPERATIONS[request.operation()], ticket, request.argument(), request.body()));
    }

    private void withdraw(SyncTicket ticket) {
        if (waiting.remove(ticket) != null) {
            machine.onWithdraw(ticket);
        }
    }

    private void reply(SyncTicket ticket, SyncReply reply) {
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
