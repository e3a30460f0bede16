// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

import static java.util.Objects.requireNonNull;

import io.fiber.SerializationException;
import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.runtime.platform.Types;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.SerializedLambda;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Ensures that the reader of a function runs the same code as its writer. The writer names the classes of a function.
 * The reader compares them with its own before it reads the function, and rejects others. If both read the same files,
 * neither accepts a class whose files have changed since the program opened its first session. Thread-safe.
 *
 * <p>A reader also loads the classes to which a function's classes lead, so that a later build cannot change what was
 * checked. It does so a second later, because a program is not rebuilt that soon.
 */
public final class ProgramClasses {

    /**
     * How many classes are followed from a function, the nearest first. A fresh JVM takes 0.1 ms for each, and a
     * program whose classes all refer to each other must not load them all.
     */
    private static final int MOST_REACHED = 200;

    private static final String CHANGED = "FBR-203";

    private final ClassLoader loader;
    private final ClassPathSnapshot files;
    private final Executor later;
    private final Map<Class<?>, Optional<ClassStamp>> stamps = new ConcurrentHashMap<>();
    private final Map<Class<?>, List<ClassStamp>> stampsOfFunctions = new ConcurrentHashMap<>();
    private final Map<Set<Class<?>>, List<ClassStamp>> stampsBehind = new ConcurrentHashMap<>();
    /** The CRCs of classes that were found equal, or that do not belong to this process. */
    private final Map<String, Integer> accepted = new ConcurrentHashMap<>();

    private final Set<String> reached = ConcurrentHashMap.newKeySet();

    /** Creates the classes of {@code loader}; {@code later} loads the classes to which functions lead. */
    public ProgramClasses(ClassLoader loader, ClassPathSnapshot files, Executor later) {
        this.loader = loader;
        this.files = files;
        this.later = later;
    }

    /**
     * Returns the stamps of the classes whose code a value has; none if it is not a function.
     *
     * @throws SerializationException FBR-203 if the file of one was written while the program runs
     */
    public List<ClassStamp> of(Object value) {
        FunctionShape shape = FunctionShape.of(value.getClass());
        if (!shape.isFunction()) {
            return List.of();
        }
        List<Object> captured = shape.functionsIn(value);
        return captured.isEmpty() ? stampsOfOne(value) : stampsOfAll(value, captured);
    }

    private List<ClassStamp> stampsOfAll(Object value, List<Object> captured) {
        Map<String, ClassStamp> found = new LinkedHashMap<>();
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        seen.add(value);
        put(stampsOfOne(value), found);
        Deque<Object> left = new ArrayDeque<>(captured);
        while (!left.isEmpty()) {
            Object function = left.remove();
            if (seen.add(function)) {
                put(stampsOfOne(function), found);
                left.addAll(FunctionShape.of(function.getClass()).functionsIn(function));
            }
        }
        return List.copyOf(found.values());
    }

    private static void put(List<ClassStamp> stamps, Map<String, ClassStamp> found) {
        for (ClassStamp stamp : stamps) {
            if (found.size() < ClassStamp.MOST) {
                found.put(stamp.name(), stamp);
            }
        }
    }

    /**
     * Returns the stamps of a function without its captured functions; all functions of its class have them in common.
     */
    private List<ClassStamp> stampsOfOne(Object function) {
        Class<?> type = function.getClass();
        List<ClassStamp> known = stampsOfFunctions.get(type);
        if (known == null) {
            Map<String, ClassStamp> found = new LinkedHashMap<>();
            for (Class<?> each : classesOf(function)) {
                Optional<ClassStamp> stamp = stampOf(each);
                if (stamp.isPresent()) {
                    found.put(stamp.get().name(), stamp.get());
                }
            }
            known = List.copyOf(found.values());
            stampsOfFunctions.put(type, known);
        }
        return known;
    }

    /**
     * Returns the stamps of the program's classes on whose code a value depends: those of its objects and of the bodies of
     * its lambdas, and those to which these lead, the nearest 200. Classes that are only in memory have none.
     *
     * @throws SerializationException FBR-203 if the file of one was written while the program runs
     */
    public List<ClassStamp> behind(Object value) {
        return behind(ObjectClasses.of(value, loader));
    }

    private List<ClassStamp> behind(Set<Class<?>> roots) {
        List<ClassStamp> known = stampsBehind.get(roots);
        if (known == null) {
            known = List.copyOf(followed(roots));
            stampsBehind.put(roots, known);
        }
        return known;
    }

    private Collection<ClassStamp> followed(Set<Class<?>> roots) {
        Map<String, ClassStamp> found = new LinkedHashMap<>();
        Deque<Class<?>> left = new ArrayDeque<>(roots);
        while (!left.isEmpty() && found.size() < MOST_REACHED) {
            Class<?> type = left.remove();
            Optional<ClassStamp> stamp = found.containsKey(type.getName()) ? Optional.empty() : stampOf(type);
            if (stamp.isPresent()) {
                found.put(type.getName(), stamp.get());
                mentioned(type).stream()
                        .filter(name -> !isOfJdk(name) && !isOfFiber(name))
                        .map(this::load)
                        .filter(Objects::nonNull)
                        .forEach(left::add);
            }
        }
        return found.values();
    }

    private static List<Class<?>> classesOf(Object function) {
        Class<?> type = function.getClass();
        if (function instanceof FunctionResources.Carrier) {
            return List.of();
        }
        if (!type.isHidden()) {
            return List.of(type);
        }
        SerializedLambda lambda = ReferencedMethod.lambda(function);
        if (lambda == null) {
            return List.of();
        }
        try {
            ClassLoader owner = type.getClassLoader();
            return List.of(
                    Class.forName(lambda.getCapturingClass().replace('/', '.'), false, owner),
                    Class.forName(lambda.getImplClass().replace('/', '.'), false, owner));
        } catch (ClassNotFoundException | LinkageError e) {
            // It was unloaded, or is broken: the reader will say so.
            return List.of();
        }
    }

    /** Returns the stamp of a class; empty for a class of the JDK or one that is only in memory. */
    private Optional<ClassStamp> stampOf(Class<?> type) {
        Optional<ClassStamp> known = stamps.get(type);
        if (known == null) {
            known = Types.isOfJdk(type) ? Optional.empty() : readStamp(type);
            stamps.put(type, known);
        }
        return known;
    }

    private Optional<ClassStamp> readStamp(Class<?> type) {
        String name = type.getName();
        try (ClassFiles around = ClassFiles.beside(type, requireNonNull(type.getClassLoader()))) {
            File file = around.fileOf(name);
            Optional<String> change = file == null ? Optional.empty() : files.change(file);
            if (change.isPresent()) {
                throw refusal(name, change.get());
            }
            Integer crc = around.crcOf(name);
            return crc == null ? Optional.empty() : Optional.of(new ClassStamp(name, crc));
        } catch (IOException e) {
            // Nothing is known about it, as about a class that is only in memory.
            return Optional.empty();
        }
    }

    /**
     * Rejects classes of a function that differ from those of its writer.
     *
     * @throws RefusedInputException FBR-203
     */
    public void check(List<ClassStamp> ofWriter) {
        for (ClassStamp stamp : ofWriter) {
            Integer known = accepted.get(stamp.name());
            if (known == null || known != stamp.crc()) {
                checkNow(stamp);
                accepted.put(stamp.name(), stamp.crc());
            }
        }
    }

    /**
     * Checks a stamp. A class that is missing here is not checked. Classes that were checked before a build stay valid.
     */
    private synchronized void checkNow(ClassStamp stamp) {
        Class<?> type = load(stamp.name());
        if (type == null) {
            return;
        }
        boolean isNew = !stamps.containsKey(type);
        Optional<ClassStamp> own = stampOf(type);
        if (own.isPresent() && own.get().crc() != stamp.crc()) {
            throw refusal(stamp.name(), differs(type));
        }
        if (own.isPresent() && isNew) {
            Optional<String> change = files.change();
            if (change.isPresent()) {
                stamps.remove(type);
                throw refusal(stamp.name() + ", which may need others", change.get());
            }
            later.execute(() -> follow(type));
        }
    }

    private static String differs(Class<?> type) {
        String name = type.getName();
        try (ClassFiles around = ClassFiles.beside(type, requireNonNull(type.getClassLoader()))) {
            File file = around.fileOf(name);
            return (file == null ? "its class file" : "the file " + file.getPath())
                    + " comes from another build than the function"
                    + (file == null || !file.getName().endsWith(".jar") ? "" : " (its class " + name + " differs)");
        } catch (IOException e) {
            return "its class file comes from another build than the function";
        }
    }

    private static RefusedInputException refusal(String name, String change) {
        return new RefusedInputException(
                CHANGED,
                "it runs code of class " + name + ", and " + change
                        + ". A worker runs a function only with the classes that the program started with. Restart"
                        + " the program");
    }

    /** Loads the classes to which the code of a class leads, and remembers those whose files have not changed. */
    private void follow(Class<?> root) {
        Deque<Class<?>> left = new ArrayDeque<>(List.of(root));
        for (int i = 0; i < MOST_REACHED && !left.isEmpty(); i++) {
            for (String name : mentioned(left.remove())) {
                Class<?> next = isOfJdk(name) || isOfFiber(name) || !reached.add(name) ? null : load(name);
                if (next != null && isAsItWas(next)) {
                    left.add(next);
                }
            }
        }
    }

    private boolean isAsItWas(Class<?> type) {
        try {
            return stampOf(type).isPresent();
        } catch (RefusedInputException changed) {
            return false;
        }
    }

    private static List<String> mentioned(Class<?> type) {
        try (ClassFiles around = ClassFiles.beside(type, requireNonNull(type.getClassLoader()))) {
            ClassFile file = around.find(type.getName());
            return file == null ? List.of() : file.classNames();
        } catch (IOException | RuntimeException e) {
            // A file that is being overwritten.
            return List.of();
        }
    }

    private static boolean isOfJdk(String name) {
        return name.startsWith("java.") || name.startsWith("javax.") || name.startsWith("jdk.");
    }

    /** They lead to each other, so that following them would load hundreds. */
    private static boolean isOfFiber(String name) {
        return name.startsWith("io.fiber.runtime.")
                || name.startsWith("io.fiber.spec.")
                || name.startsWith("io.fiber.spi.")
                || name.startsWith("io.fiber.function.")
                || (name.startsWith("io.fiber.") && name.lastIndexOf('.') == "io.fiber".length());
    }

    private @Nullable Class<?> load(String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }
}
