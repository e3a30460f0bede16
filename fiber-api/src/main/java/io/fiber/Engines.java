// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The engines that a set of class loaders can see. There must be exactly one; as with backends, none or several are an
 * error.
 *
 * @param found the engines, one of each class
 * @param broken descriptions of the engines that could not be loaded
 * @param firstCause why the first of those could not be loaded
 */
record Engines(
        List<FiberEngine> found,
        List<String> broken,
        @Nullable Throwable firstCause) {

    /** Limits how often loading is tried again: a services file that cannot be read would fail forever. */
    private static final int MOST_BROKEN = 10;

    /** The engines of this JVM, found by the first thread that uses Fiber. */
    private static final class OfThisProgram {
        static final Engines ALL = seenBy(loaders());
    }

    /**
     * Returns the engine of this program.
     *
     * @throws ConfigurationException FBR-117 if there is none, FBR-118 if there are several
     */
    static FiberEngine only() {
        return OfThisProgram.ALL.single();
    }

    private static Collection<ClassLoader> loaders() {
        Set<ClassLoader> loaders = new LinkedHashSet<>();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        if (context != null) {
            loaders.add(context);
        }
        loaders.add(Engines.class.getClassLoader());
        return loaders;
    }

    /**
     * Returns the engines that these class loaders can see, in the order of the loaders. A class that two loaders see
     * counts once.
     */
    static Engines seenBy(Collection<ClassLoader> loaders) {
        Map<Class<?>, FiberEngine> found = new LinkedHashMap<>();
        List<String> broken = new ArrayList<>();
        Throwable firstCause = null;
        for (ClassLoader loader : loaders) {
            Iterator<FiberEngine> engines =
                    ServiceLoader.load(FiberEngine.class, loader).iterator();
            boolean isMore = true;
            while (isMore && broken.size() < MOST_BROKEN) {
                try {
                    isMore = engines.hasNext();
                    if (isMore) {
                        FiberEngine engine = engines.next();
                        found.putIfAbsent(engine.getClass(), engine);
                    }
                } catch (ServiceConfigurationError | LinkageError e) {
                    broken.add(e.getCause() == null ? e.toString() : e.getMessage() + ": " + e.getCause());
                    firstCause = firstCause == null ? e : firstCause;
                }
            }
        }
        return new Engines(List.copyOf(found.values()), List.copyOf(broken), firstCause);
    }

    /**
     * Returns the only engine.
     *
     * @throws ConfigurationException FBR-117 if there is none, FBR-118 if there are several
     */
    FiberEngine single() {
        if (found.size() == 1) {
            return found.get(0);
        }
        throw found.isEmpty()
                ? new ConfigurationException(
                        "FBR-117 No engine is on the class path: fiber-api has only the API. The engine"
                                + " is in fiber-runtime, which every backend brings. Add a backend, or"
                                + " fiber-runtime itself." + brokenText(),
                        firstCause)
                : new ConfigurationException(
                        "FBR-118 " + found.size() + " engines are on the class path: "
                                + String.join(
                                        ", ",
                                        found.stream().map(Engines::describe).toList())
                                + ". Expected one: remove the others.",
                        null);
    }

    private String brokenText() {
        return broken.isEmpty() ? "" : " Found, but could not be loaded: " + String.join("; ", broken) + ".";
    }

    private static String describe(FiberEngine engine) {
        CodeSource source = engine.getClass().getProtectionDomain().getCodeSource();
        String where = source == null || source.getLocation() == null
                ? "module " + engine.getClass().getModule().getName()
                : source.getLocation().toString();
        return engine.getClass().getName() + " (" + where + ")";
    }
}
