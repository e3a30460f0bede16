// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Handles the signals by which a shell or a person asks this process to end. The JDK's class for signals is accessed by
 * reflection, because it has no successor and javac warns about each use.
 */
final class Signals {

    private static final List<String> NAMES = List.of("INT", "TERM", "HUP");

    private final IntConsumer taker;

    private Signals(IntConsumer taker) {
        this.taker = taker;
    }

    /** Passes the number of each signal to {@code taker} from now on, instead of ending this JVM. */
    static void takenBy(IntConsumer taker) {
        Signals signals = new Signals(taker);
        NAMES.forEach(signals::take);
    }

    private void take(String name) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object told =
                    Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handler}, this::handle);
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), told);
        } catch (ReflectiveOperationException e) {
            // Windows has no HUP, and with -Xrs the JVM ends on all of them; the reaper ends the job then.
            System.getLogger(Signals.class.getName()).log(Level.DEBUG, "The signal " + name + " cannot be taken", e);
        }
    }

    private @Nullable Object handle(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class || arguments == null) {
            return method.invoke(taker, arguments);
        }
        Object signal = arguments[0];
        taker.accept((int) signal.getClass().getMethod("getNumber").invoke(signal));
        return null;
    }
}
