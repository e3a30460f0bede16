// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.TaskRunner;
import io.fiber.runtime.platform.Types;
import java.net.URL;
import java.security.CodeSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives advice about objects that cannot be serialized. */
final class Hints {

    private static final String OWN_CLASS =
            "Let it implement java.io.Serializable, make the field transient, or create it inside the task.";

    private static final String METHOD_REFERENCE =
            "A method reference of this form captures the object: make the method static, or let the class implement"
                    + " java.io.Serializable.";

    private static final String PLAIN_OBJECT =
            "A plain Object has no data to send. If it is a lock, make its field static or transient; between"
                    + " processes, use a lock of a manager (fiber.manager().lock()).";

    private static final String CLASS_OF_JDK =
            "It is a class of the JDK, so you cannot make it Serializable. Send the data that the task needs"
                    + " (numbers, strings, arrays, a record), and create the object inside the task.";

    private static final Hint OF_ITS_PROCESS = new Hint(
            "Create it inside the task.",
            "java.lang.Thread",
            "java.util.concurrent.Executor",
            "java.util.concurrent.Future",
            "java.lang.AutoCloseable",
            "java.lang.ClassLoader",
            "java.lang.ThreadLocal");

    private static final Hint LOGGER = new Hint(
            "A logger belongs to its process: keep it in a static field, which each process initializes for itself.",
            "java.util.logging.Logger",
            "java.lang.System$Logger",
            "org.slf4j.Logger",
            "org.apache.logging.log4j.Logger",
            "org.apache.commons.logging.Log");

    /** For classes of the program and its libraries; the first match counts. */
    private static final List<Hint> OF_PROGRAM = List.of(
            new Hint(
                    "It belongs to its process. A task can start its own with Fiber.current().",
                    Fiber.class.getName(),
                    TaskRunner.class.getName(),
                    FiberProcess.class.getName()),
            OF_ITS_PROCESS,
            LOGGER);

    /** For classes of the JDK; the first match counts. */
    private static final List<Hint> OF_JDK = List.of(
            new Hint(
                    "Send its value, or null.",
                    "java.util.Optional",
                    "java.util.OptionalInt",
                    "java.util.OptionalLong",
                    "java.util.OptionalDouble"),
            LOGGER,
            new Hint(
                    "Send its bytes or the path of its file, and read it inside the task: ImageIO.write(image,"
                            + " \"png\", out) writes it to a ByteArrayOutputStream, ImageIO.read(in) reads it.",
                    "java.awt.Image",
                    "java.awt.image.Raster"),
            new Hint("Copy it: new ArrayList<>(list).", "java.util.List"),
            new Hint("Copy it: new HashSet<>(set).", "java.util.Set"),
            new Hint("Copy it: new ArrayList<>(collection).", "java.util.Collection"),
            new Hint("Copy it: new HashMap<>(map).", "java.util.Map"),
            new Hint("Copy it: new AbstractMap.SimpleImmutableEntry<>(entry), or use a record.", "java.util.Map$Entry"),
            new Hint("Collect it into a list first.", "java.util.stream.BaseStream", "java.util.Iterator"),
            new Hint("Send path.toString().", "java.nio.file.Path"),
            new Hint("Send its bytes: buffer.get(array) fills a byte[].", "java.nio.Buffer"),
            new Hint("Send the text and match it inside the task.", "java.util.regex.Matcher"),
            new Hint(
                    "It works only between threads of one process. Use a lock, event or barrier of a manager"
                            + " (fiber.manager()), which works between processes.",
                    "java.util.concurrent.CountDownLatch",
                    "java.util.concurrent.CyclicBarrier",
                    "java.util.concurrent.Phaser",
                    "java.util.concurrent.locks.Condition"),
            new Hint(
                    "It is open only in this process. Send the file's path or its bytes, and open it inside the task.",
                    "java.io.InputStream",
                    "java.io.OutputStream",
                    "java.io.Reader",
                    "java.io.Writer",
                    "java.nio.channels.Channel"),
            new Hint(
                    "Send its name and look it up inside the task.",
                    "java.lang.reflect.Member",
                    "java.lang.reflect.AnnotatedElement"),
            OF_ITS_PROCESS);

    /**
     * Advice about some classes.
     *
     * @param advice the advice, as a sentence
     * @param names names of the classes, which include their subclasses; a class may be missing here
     */
    private record Hint(String advice, Set<String> names) {

        Hint(String advice, String... names) {
            this(advice, Set.of(names));
        }

        boolean isFor(Class<?> type) {
            if (names.contains(type.getName())) {
                return true;
            }
            for (Class<?> implemented : type.getInterfaces()) {
                if (isFor(implemented)) {
                    return true;
                }
            }
            return type.getSuperclass() != null && isFor(type.getSuperclass());
        }
    }

    private Hints() {}

    /** Returns advice about an object that is not serializable, as a sentence. */
    static String of(ObjectPath.Node found) {
        Class<?> type = found.object().getClass();
        if (found.isCapturedThis()) {
            return "The lambda captures `this` (" + Types.name(type) + "), which is not Serializable: "
                    + "copy the field it uses to a local variable, or make the method that it calls static.";
        }
        if (found.isOuterObject()) {
            return "An inner class refers to its enclosing object: make it static, a record or a lambda.";
        }
        if (Types.isLambda(type)) {
            Class<?>[] interfaces = type.getInterfaces();
            return ofLambda(interfaces.length == 0 ? "Function" : interfaces[0].getSimpleName());
        }
        return ofClass(type, found);
    }

    /** Returns advice about an object somewhere in a value, of which only the class name is known. */
    static String of(String name, @Nullable Object value) {
        if (Types.isLambda(name)) {
            return ofLambda("Function");
        }
        try {
            ClassLoader loader = value == null ? null : value.getClass().getClassLoader();
            ClassLoader known = loader == null ? Thread.currentThread().getContextClassLoader() : loader;
            return ofClass(Class.forName(name, false, known), null);
        } catch (ClassNotFoundException | LinkageError e) {
            return OWN_CLASS;
        }
    }

    private static String ofLambda(String interfaceName) {
        return "Use io.fiber.function.RemoteFunction, or cast it to (" + interfaceName + " & Serializable).";
    }

    private static String ofClass(Class<?> type, ObjectPath.@Nullable Node found) {
        if (type == Object.class) {
            return PLAIN_OBJECT;
        }
        boolean isOfJdk = Types.isOfJdk(type);
        for (Hint hint : isOfJdk ? OF_JDK : OF_PROGRAM) {
            if (hint.isFor(type)) {
                return hint.advice();
            }
        }
        if (isOfJdk) {
            return CLASS_OF_JDK;
        }
        return foreignJar(type, found)
                .map(Hints::ofLibrary)
                .orElse(found != null && found.isReceiver() ? METHOD_REFERENCE : OWN_CLASS);
    }

    private static String ofLibrary(String jar) {
        return "Its class is in " + jar + ". If you can change that library, let the class implement"
                + " java.io.Serializable. Otherwise send the data that the object is made from and create the object"
                + " inside the task, or make the field transient.";
    }

    /**
     * Returns the name of the jar of a class, unless that jar also holds the class of the program that holds the
     * object.
     */
    private static Optional<String> foreignJar(Class<?> type, ObjectPath.@Nullable Node found) {
        Optional<String> jar = location(type).filter(place -> place.endsWith(".jar"));
        for (ObjectPath.Node at = found == null ? null : found.parent(); at != null; at = at.parent()) {
            if (location(at.object().getClass()).equals(jar)) {
                return Optional.empty();
            }
        }
        return jar.map(place -> place.substring(place.lastIndexOf('/') + 1));
    }

    private static Optional<String> location(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL url = source == null ? null : source.getLocation();
        return url == null ? Optional.empty() : Optional.of(url.getPath());
    }

    /** Returns advice about a class of the JDK that is not read, without the full stop. */
    static String insteadOf(Class<?> type) {
        if (type == URL.class) {
            return "send it as java.net.URI";
        }
        String advice = "copy its data into a record of your own";
        return JdkTypes.isKeptOut(type)
                ? advice
                : advice + ", or name the class in the setting allowed-classes of this process";
    }
}
