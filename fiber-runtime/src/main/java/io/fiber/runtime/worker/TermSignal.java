// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * SIGTERM, by which platforms ask a process to end before they kill it. It is taken when the process is a second old:
 * that costs some 10 ms of processor time, and a younger process has nothing worth finishing. The JDK's class for
 * signals is reached by reflection: it has no successor, and javac warns of each use of it. Belongs to one thread.
 */
public final class TermSignal {

    /** The exit code of a JVM that handles the signal in no other way. */
    private static final int EXIT_CODE = 143;

    private static final long AGE_NS = 1_000_000_000L;

    private final BooleanSupplier taker;
    private final long dueNs = System.nanoTime() + AGE_NS;
    private boolean open = true;

    /**
     * Has the signal not end this JVM but told, unless this JVM lets no code handle it: to {@code taker}, by a thread that has
     * nothing else to do, which returns false when this JVM shall end after all.
     */
    public TermSignal(BooleanSupplier taker) {
        this.taker = taker;
    }

    /** Takes the signal when it is time to; called now and then. */
    public void takeWhenDue() {
        if (open && System.nanoTime() - dueNs >= 0) {
            open = false;
            take();
        }
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
