// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.ServiceCall;

/** A queue in the process that made it: each call becomes an event of the machine. */
final class QueueHost implements Hosted {

    private final QueueMachine<SealedPayload> machine;

    QueueHost(int capacity) {
        machine = new QueueMachine<>(capacity);
    }

    @Override
    public void onCall(ServiceCall call) {
        switch (call.request().operation()) {
            case QueueProtocol.PUT -> {
                RemoteWriter writer = new RemoteWriter(call);
                machine.onPut(writer, call.request().body());
                call.onAbandoned(() -> machine.onGiveUp(writer));
            }
            case QueueProtocol.TAKE -> {
                RemoteReader reader = new RemoteReader(call);
                machine.onTake(reader);
                call.onAbandoned(() -> machine.onGiveUp(reader));
            }
            case QueueProtocol.SIZE -> call.answer(machine.size(), SealedPayload.none());
            case QueueProtocol.CLOSE -> {
                machine.onClose();
                call.answer(SealedPayload.none());
            }
            default ->
                throw new IllegalArgumentException(
                        "A queue has no operation " + call.request().operation() + ".");
        }
    }

    @Override
    public void onTell(ProcessPath from, Request request) {
        if (request.operation() == QueueProtocol.ACKNOWLEDGE) {
            machine.onAcknowledged(request.argument());
        }
    }

    @Override
    public void onCallerGone(ProcessPath caller) {
        machine.onGone(reader -> ((RemoteReader) reader).call.caller().isUnder(caller));
    }

    private record RemoteWriter(ServiceCall call) implements QueueMachine.Writer {
        @Override
        public void onHeld() {
            call.answer(QueueProtocol.HELD, SealedPayload.none());
        }

        @Override
        public void onClosed() {
            call.answer(QueueProtocol.CLOSED, SealedPayload.none());
        }
    }

    private record RemoteReader(ServiceCall call) implements QueueMachine.Reader<SealedPayload> {
        @Override
        public void onItem(long delivery, SealedPayload item) {
            call.answer(delivery, item);
        }

        @Override
        public void onDrained() {
            call.answer(QueueProtocol.DRAINED, SealedPayload.none());
        }

        @Override
        public boolean acknowledges() {
            return call.request().argument() == QueueProtocol.WILL_ACKNOWLEDGE;
        }
    }
}
