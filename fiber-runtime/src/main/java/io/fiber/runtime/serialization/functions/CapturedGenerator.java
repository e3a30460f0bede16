// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

import java.security.SecureRandom;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Detects a random number generator among the captured objects of a function: each process that reads the function
 * would draw the same numbers from its copy. Object streams report classes to it, and look each class up once. One for
 * each thread.
 */
public final class CapturedGenerator {

    private static final ThreadLocal<CapturedGenerator> OF_THREAD = ThreadLocal.withInitial(CapturedGenerator::new);

    private boolean watches;
    private @Nullable Class<?> found;
    /** Set when a generator was met that does not repeat itself; its superclass follows. */
    private boolean isHarmless;

    /** Returns the class of the first generator that {@code writing} writes to an object stream. */
    public static Optional<Class<?>> in(Runnable writing) {
        CapturedGenerator watch = OF_THREAD.get();
        watch.watches = true;
        watch.found = null;
        watch.isHarmless = false;
        try {
            writing.run();
            return Optional.ofNullable(watch.found);
        } finally {
            watch.watches = false;
        }
    }

    /** Reports that this thread writes the description of a class. */
    public static void met(Class<?> type) {
        CapturedGenerator watch = OF_THREAD.get();
        if (!watch.watches || watch.found != null) {
            return;
        }
        if (SecureRandom.class.isAssignableFrom(type) || type == ThreadLocalRandom.class) {
            watch.isHarmless = true;
        } else if (isGenerator(type) && !(watch.isHarmless && type == Random.class)) {
            watch.found = type;
        }
    }

    /**
     * Returns whether a class is a generator. Libraries older than the JDK's interface have an interface of the same
     * name.
     */
    private static boolean isGenerator(Class<?> type) {
        if (RandomGenerator.class.isAssignableFrom(type)) {
            return true;
        }
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Class<?> implemented : at.getInterfaces()) {
                if (implemented.getSimpleName().equals("RandomGenerator")) {
                    return true;
                }
            }
        }
        return false;
    }
}
