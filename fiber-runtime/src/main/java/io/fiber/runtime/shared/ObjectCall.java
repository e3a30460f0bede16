// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.ServiceCall;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.serialization.Subject;
import io.fiber.runtime.serialization.ValueCodec;
import java.io.IOException;
import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One call of an object, on its way from the conductor through a thread and back. */
final class ObjectCall {

    static final Subject ARGUMENT = new Subject("an argument", "a call on a managed object");
    static final Subject RESULT = new Subject("the result", "a call on a managed object");
    /** With an answer that is not all. */
    static final long MORE = 1;

    private static final int MOST_ARGUMENTS = 256;

    private final ProcessContext process;
    private final ServiceCall call;
    /** Made early: when it is needed there may be no memory to make it. */
    private final Consumer<Throwable> failing = this::fail;

    private @Nullable Thread runner;
    private boolean abandoned;

    ObjectCall(ProcessContext process, ServiceCall call) {
        this.process = process;
        this.call = call;
    }

    /** Notes that its caller no longer waits: it does not begin, or is interrupted. Called by the conductor. */
    synchronized void abandon() {
        abandoned = true;
        if (runner != null) {
            runner.interrupt();
        }
    }

    private synchronized boolean begin() {
        runner = abandoned ? null : Thread.currentThread();
        return !abandoned;
    }

    private synchronized void end() {
        runner = null;
        Thread.interrupted();
    }

    /** Runs it and answers. */
    void run(Target target) {
        if (!begin()) {
            return;
        }
        try {
            ObjectOperation operation = ObjectOperation.of(call.request().operation());
            Object result = target.call(operation, arguments());
            PayloadOutput out = new PayloadOutput();
            long argument = write(result, out);
            SealedPayload answer = process.seals().close(out.toPayload());
            tell(() -> call.answer(argument, answer));
        } catch (Throwable thrown) {
            Faults.tell(failing, thrown);
        } finally {
            end();
        }
    }

    private void fail(Throwable thrown) {
        PayloadOutput out = new PayloadOutput();
        process.codecs().failures().write(thrown, out);
        SealedPayload failure = process.seals().close(out.toPayload());
        tell(() -> call.fail(failure));
    }

    private @Nullable Object[] arguments() throws IOException, SealException {
        SealedPayload body = call.request().body();
        if (body.length() == 0) {
            return new Object[0];
        }
        PayloadInput in = process.seals().open(body).open();
        long count = in.readVarLong();
        if (count < 0 || count > MOST_ARGUMENTS) {
            throw new IllegalArgumentException("A call with " + count + " arguments.");
        }
        @Nullable Object[] arguments = new @Nullable Object[(int) count];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = process.codecs().values().read(in, ARGUMENT);
        }
        return arguments;
    }

    private long write(@Nullable Object result, PayloadOutput out) {
        ValueCodec values = process.codecs().values();
        if (!(result instanceof Target.Page page)) {
            values.write(result, out, RESULT);
            return 0;
        }
        Iterator<?> all = page.values();
        while (all.hasNext() && out.length() < Target.Page.FULL_BYTES) {
            for (int i = 0; i < page.group(); i++) {
                values.write(all.next(), out, RESULT);
            }
        }
        return all.hasNext() ? MORE : 0;
    }

    /** When the process ends, that is what its callers are told. */
    private void tell(Runnable command) {
        process.router().conductor().executeSoon(command);
    }
}
