// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.BarrierBrokenException;
import io.fiber.ManagedBarrier;
import io.fiber.RemoteTaskException;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.serialization.RemoteFailure;
import io.fiber.runtime.shared.host.Kind;
import io.fiber.runtime.shared.machines.Operation;
import io.fiber.runtime.shared.machines.Outcome;
import io.fiber.runtime.shared.machines.SyncReply;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A managed barrier as a program holds it. Thread-safe. */
final class BarrierProxy extends SyncProxy implements ManagedBarrier {
    private static final long serialVersionUID = 1L;

    private final int parties;
    private final transient @Nullable RemoteRunnable action;

    BarrierProxy(RemoteObject remote, int parties, @Nullable RemoteRunnable action) {
        super(remote, handle(remote, parties, action), "the other parties of barrier");
        this.parties = parties;
        this.action = action;
    }

    private static ObjectHandle handle(RemoteObject remote, int parties, @Nullable RemoteRunnable action) {
        Kind kind = action == null ? Kind.BARRIER : Kind.BARRIER_WITH_ACTION;
        return new ObjectHandle(kind, remote.address(), parties, action);
    }

    @Override
    public int await() {
        return arrived(call(Operation.ARRIVE, 0));
    }

    @Override
    public int await(Duration timeout) {
        return call(Operation.ARRIVE, 0, timeout)
                .map(this::arrived)
                .orElseThrow(() ->
                        new BarrierBrokenException("not all " + parties + " parties of " + this + " arrived within "
                                + timeout + (action == null ? "." : ", or its action had not finished by then.")));
    }

    private int arrived(SyncReply reply) {
        if (reply.outcome() == Outcome.RUN_ACTION && action != null) {
            act(action);
            return 0;
        }
        if (reply.outcome() != Outcome.DONE) {
            throw broken();
        }
        return (int) reply.number();
    }

    private void act(RemoteRunnable toDo) {
        try {
            toDo.run();
        } catch (Throwable thrown) {
            now(Operation.ACTION_FAILED, 0);
            throw failed(thrown);
        }
        if (now(Operation.ACTION_DONE, 0).outcome() != Outcome.DONE) {
            throw broken();
        }
    }

    private RemoteTaskException failed(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        return new RemoteFailure(
                        thrown.getClass().getName(),
                        Optional.ofNullable(thrown.getMessage()),
                        trace.toString(),
                        Optional.of(thrown))
                .thrownBy("The action of " + this);
    }

    private BarrierBrokenException broken() {
        return new BarrierBrokenException(
                "one of the parties of " + this + " gave up, was interrupted or has ended, or its action failed.");
    }

    @Override
    public void reset() {
        now(Operation.RESET, 0);
    }

    @Override
    public void abort() {
        now(Operation.BREAK, 0);
    }

    @Override
    public boolean isBroken() {
        return now(Operation.IS_BROKEN, 0).number() == 1;
    }

    @Override
    public int parties() {
        return parties;
    }

    @Override
    public int waiting() {
        return (int) now(Operation.WAITING, 0).number();
    }
}
