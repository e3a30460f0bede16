// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.ServiceCall;
import io.fiber.runtime.security.Seals;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The meeting point of a pipe's two ends. Only one process uses each end, the first that reports. The first end to
 * report is told to invite, and the other gets its invitation. Then each has an open call that is answered when the
 * other one has closed or died. Not thread-safe; belongs to the conductor of the process that created the pipe.
 */
final class PipeRendezvous implements Hosted {

    /** A process starts using an end; argument: which. The answer says what to do. */
    static final int ATTACH = 1;
    /** The end has invited; body: the invitation. Answered when there is news of the other end. */
    static final int OFFER = 2;
    /** The end dials. Answered when there is news of the other end. */
    static final int JOIN = 3;
    /** The end is closed; body: what it had sent and could not deliver. There is no answer. */
    static final int CLOSE = 4;
    /** The same, but what it had sent goes over the link. */
    static final int CLOSE_LINKED = 5;
    /** The ends cannot connect; body: why. There is no answer. */
    static final int FAIL = 6;

    /** Invite the other end. */
    static final long INVITE = 1;
    /** Dial the other end; body: its invitation. */
    static final long DIAL = 2;
    /** The other end was closed; body: what it had sent. */
    static final long CLOSED = 3;
    /** The other end was closed after it had been linked. */
    static final long CLOSED_LINKED = 4;
    /** The other end's process has ended. */
    static final long DIED = 5;
    /** This end belongs to another process; body: a text that says which. */
    static final long TAKEN = 6;
    /** The ends cannot connect; body: why. */
    static final long FAILED = 7;

    private final Seals seals;
    private final Runnable withdraw;
    private final Side[] sides = {new Side(), new Side()};

    /** What is known about one end. */
    private static final class Side {
        private @Nullable ProcessPath holder;
        private @Nullable SealedPayload invitation;
        /** The open call by which it learns what to do, and then what happens to the other end. */
        private @Nullable ServiceCall waiting;

        private boolean attached;
        private long end;
        private SealedPayload left = SealedPayload.none();

        boolean isGone() {
            return end != 0;
        }

        void answer(long what, SealedPayload body) {
            ServiceCall call = waiting;
            waiting = null;
            if (call != null) {
                call.answer(what, body);
            }
        }
    }

    /**
     * Creates the rendezvous of a pipe.
     *
     * @param withdraw run when both ends are gone
     */
    PipeRendezvous(Seals seals, Runnable withdraw) {
        this.seals = seals;
        this.withdraw = withdraw;
    }

    private static int index(Request request) {
        return (int) (request.argument() & 1);
    }

    @Override
    public void onCall(ServiceCall call) {
        int index = index(call.request());
        Side side = sides[index];
        Side other = sides[1 - index];
        if (call.request().operation() == ATTACH) {
            attach(call, side, other);
        } else if (!Objects.equals(side.holder, call.caller())) {
            call.answer(TAKEN, holderOf(side));
        } else {
            side.waiting = call;
            if (call.request().operation() == OFFER) {
                side.invitation = call.request().body();
            }
            tell(side, other);
        }
    }

    private void attach(ServiceCall call, Side side, Side other) {
        if (side.holder != null) {
            call.answer(TAKEN, holderOf(side));
            return;
        }
        side.holder = call.caller();
        if (other.holder == null) {
            side.attached = true;
            call.answer(INVITE, SealedPayload.none());
        } else {
            side.waiting = call;
            tell(side, other);
        }
    }

    /** Answers both ends if there is something to report. */
    private void tell(Side side, Side other) {
        tellOne(side, other);
        tellOne(other, side);
    }

    private static void tellOne(Side side, Side other) {
        SealedPayload invitation = other.invitation;
        if (other.isGone()) {
            side.answer(other.end, other.left);
        } else if (!side.attached && side.waiting != null && invitation != null) {
            side.attached = true;
            other.invitation = null;
            side.answer(DIAL, invitation);
        }
    }

    private SealedPayload holderOf(Side side) {
        String holder = "process " + side.holder;
        return seals.close(Payload.ofText(side.isGone() ? holder + ", which has closed it or ended" : holder));
    }

    @Override
    public void onTell(ProcessPath from, Request request) {
        int index = index(request);
        Side side = sides[index];
        if (side.holder == null) {
            side.holder = from;
        }
        if (!Objects.equals(side.holder, from)) {
            return;
        }
        switch (request.operation()) {
            case CLOSE -> end(index, CLOSED, request.body());
            case CLOSE_LINKED -> end(index, CLOSED_LINKED, SealedPayload.none());
            case FAIL -> end(index, FAILED, request.body());
            default -> {}
        }
    }

    private void end(int index, long how, SealedPayload left) {
        Side side = sides[index];
        if (!side.isGone()) {
            side.end = how;
            side.left = left;
            // An end that has closed a link waits until the other has received what it sent, or is gone.
            if (how != CLOSED_LINKED) {
                side.waiting = null;
            }
            tell(side, sides[1 - index]);
        }
        if (sides[0].isGone() && sides[1].isGone()) {
            withdraw.run();
        }
    }

    @Override
    public void onCallerGone(ProcessPath caller) {
        for (int i = 0; i < sides.length; i++) {
            ProcessPath holder = sides[i].holder;
            if (holder != null && holder.isUnder(caller)) {
                end(i, DIED, SealedPayload.none());
            }
        }
    }
}
