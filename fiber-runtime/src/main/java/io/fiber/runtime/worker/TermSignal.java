// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.eventloop.Duty;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles SIGTERM, by which platforms ask a process to end before they kill it. The handler is installed when the
 * process is a second old: installing costs some 10 ms of processor time, and a younger process has nothing worth
 * finishing. The JDK's class for signals is used by reflection, because it has no successor and javac warns about each
 * use. Belongs to the conductor.
 */
public final class TermSignal implements Duty {

    /** The exit code of a JVM that does not handle the signal. */
    private static final int EXIT_CODE = 143;

    private static final long AGE_NS = 1_000_000_000L;

    private final BooleanSupplier taker;
    private final long dueNs = System.nanoTime() + AGE_NS;
    private boolean open = true;

    /**
     * Passes the signal to {@code taker} instead of ending this JVM, unless the JVM lets no code handle it. A thread of
     * its own calls {@code taker}, which returns false if this JVM shall end after all.
     */
    public TermSignal(BooleanSupplier taker) {
        this.taker = taker;
    }

    /** Installs the handler when it is time. */
    @Override
    public int doWork(long nowNs) {
        if (open && System.nanoTime() - dueNs >= 0) {
            open = false;
            take();
        }
        return 0;
    }

    @Override
    public boolean isTimed() {
        return open;
    }

    private void take() {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object told =
                    Proxy.newProxyInstance(TermSignal.class.getClassLoader(), new Class<?>[] {handler}, this::handle);
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("TERM"), told);
        } catch (ReflectiveOperationException e) {
            // Started with -Xrs, for example: then it ends at once, as any JVM does.
            System.getLogger(TermSignal.class.getName()).log(System.Logger.Level.DEBUG, "SIGTERM cannot be taken", e);
        }
    }

    private @Nullable Object handle(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return method.invoke(taker, arguments);
        }
        if (!taker.getAsBoolean()) {
            System.exit(EXIT_CODE);
        }
        return null;
    }
}
