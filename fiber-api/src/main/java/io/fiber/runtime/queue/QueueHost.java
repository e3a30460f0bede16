// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.queue;

import io.fiber.runtime.service.Hosted;
import io.fiber.runtime.service.Request;
import io.fiber.runtime.service.ServiceCall;
import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.ProcessPath;

/** A queue in the process that made it: what arrives by the exchange becomes an event of the machine. */
final class QueueHost implements Hosted {

    private final QueueMachine<Parcel> machine;

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
            case QueueProtocol.SIZE -> call.answer(machine.size(), Parcel.none());
            case QueueProtocol.CLOSE -> {
                machine.onClose();
                call.answer(Parcel.none());
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
            call.answer(QueueProtocol.HELD, Parcel.none());
        }

        @Override
        public void onClosed() {
            call.answer(QueueProtocol.CLOSED, Parcel.none());
        }
    }

    private record RemoteReader(ServiceCall call) implements QueueMachine.Reader<Parcel> {
        @Override
        public void onItem(long delivery, Parcel item) {
            call.answer(delivery, item);
        }

        @Override
        public void onDrained() {
            call.answer(QueueProtocol.DRAINED, Parcel.none());
        }

        @Override
        public boolean acknowledges() {
            return call.request().argument() == QueueProtocol.WILL_ACKNOWLEDGE;
        }
    }
}
