// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads exceptions of other code, whose methods may throw exceptions themselves. */
final class Causes {

    private static final StackTraceElement[] NO_FRAMES = {};
    private static final int GREATEST_COUNT = 32;

    private Causes() {}

    /** Returns {@code thrown} and its causes, outermost first, each once, 32 at most. */
    static List<Throwable> of(Throwable thrown) {
        List<Throwable> causes = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Throwable next = thrown;
        while (next != null && causes.size() < GREATEST_COUNT && seen.add(next)) {
            causes.add(next);
            next = cause(next);
        }
        return causes;
    }

    /** Returns the message; null if there is none or reading it fails. */
    static @Nullable String message(Throwable thrown) {
        try {
            return thrown.getMessage();
        } catch (Throwable hostile) {
            return null;
        }
    }

    static String describe(Throwable thrown) {
        String message = message(thrown);
        String type = thrown.getClass().getName();
        return message == null ? type : type + ": " + message;
    }

    /** Returns the method that threw the exception. */
    static String origin(Throwable thrown) {
        StackTraceElement[] frames = frames(thrown);
        return frames.length == 0 ? "unknown code" : frames[0].getClassName() + "." + frames[0].getMethodName();
    }

    /** Returns the stack trace; empty if reading it fails. */
    static StackTraceElement[] frames(Throwable thrown) {
        try {
            StackTraceElement[] frames = thrown.getStackTrace();
            return frames == null ? NO_FRAMES : frames;
        } catch (Throwable hostile) {
            return NO_FRAMES;
        }
    }

    /** Returns the direct cause; empty if there is none or reading it fails. */
    static List<Throwable> causes(Throwable thrown) {
        Throwable cause = cause(thrown);
        return cause == null ? List.of() : List.of(cause);
    }

    private static @Nullable Throwable cause(Throwable thrown) {
        try {
            return thrown.getCause();
        } catch (Throwable hostile) {
            return null;
        }
    }
}
