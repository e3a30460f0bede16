// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import io.fiber.runtime.logging.Logs;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Handles the signals by which a platform, a shell or a person asks this process to end. The JDK's class for signals is
 * accessed by reflection, because it has no successor and javac warns about each use.
 */
public final class Signals {

    /** What ends a program: Ctrl-C, a platform or {@code kill}, and the end of a terminal. */
    public static final List<String> ENDING = List.of("INT", "TERM", "HUP");

    /** The JVM's own handlers appear as classes of this name. A program that handles a signal has another one. */
    private static final String DEFAULT_HANDLER = "sun.misc.Signal$";

    private final IntConsumer taker;

    private Signals(IntConsumer taker) {
        this.taker = taker;
    }

    /**
     * Passes the numbers of signals to {@code taker} from now on, instead of ending this JVM. Each signal has a thread of
     * its own. A signal that the program handles or ignores stays with it.
     */
    public static void takenBy(IntConsumer taker, List<String> names) {
        Signals signals = new Signals(taker);
        names.forEach(signals::take);
    }

    private void take(String name) {
        try {
            Class<?> type = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Object told =
                    Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handlerType}, this::handle);
            Object signal = type.getConstructor(String.class).newInstance(name);
            Method handle = type.getMethod("handle", type, handlerType);
            Object before = handle.invoke(null, signal, told);
            if (before != null && !before.getClass().getName().startsWith(DEFAULT_HANDLER)) {
                handle.invoke(null, signal, before);
            }
        } catch (ReflectiveOperationException e) {
            // Windows has no HUP, and with -Xrs the JVM ends on all of them.
            Logs.of(Signals.class).log(Level.DEBUG, "The signal " + name + " cannot be taken", e);
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
