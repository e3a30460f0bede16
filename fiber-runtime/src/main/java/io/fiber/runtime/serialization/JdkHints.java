// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.nio.Buffer;
import java.nio.channels.Channel;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.locks.Condition;
import java.util.regex.Matcher;
import java.util.stream.BaseStream;

/** Says what to send in place of an object of the JDK, which no program can make serializable. */
final class JdkHints {

    static final String LOGGER =
            "A logger writes in its own process: keep it in a static field, which each process fills for itself.";

    static final String INSIDE_TASK = "Create it inside the task.";

    /** What is told of a class that nothing better is known of. */
    private static final String ANY =
            "It is a class of the JDK, so nothing can make it Serializable: send what the task "
                    + "needs of it (numbers, strings, arrays, a record), and create it inside the task.";

    private static final Set<String> LOGGERS = Set.of(
            "java.util.logging.Logger",
            "java.lang.System$Logger",
            "org.slf4j.Logger",
            "org.apache.logging.log4j.Logger",
            "org.apache.commons.logging.Log");

    private static final Set<String> IMAGES = Set.of("java.awt.Image", "java.awt.image.Raster");

    private static final Hint OF_ITS_PROCESS = new Hint(
            INSIDE_TASK,
            Thread.class,
            Executor.class,
            Future.class,
            AutoCloseable.class,
            ClassLoader.class,
            ThreadLocal.class);

    /** The first that fits counts. */
    private static final List<Hint> HINTS = List.of(
            new Hint("Copy it: new ArrayList<>(list).", List.class),
            new Hint("Copy it: new HashSet<>(set).", Set.class),
            new Hint("Copy it: new ArrayList<>(collection).", Collection.class),
            new Hint("Copy it: new HashMap<>(map).", Map.class),
            new Hint("Copy it: new AbstractMap.SimpleImmutableEntry<>(entry), or use a record.", Map.Entry.class),
            new Hint("Collect it into a list first.", BaseStream.class, Iterator.class),
            new Hint("Send path.toString().", Path.class),
            new Hint("Send its bytes: buffer.get(array) fills a byte[].", Buffer.class),
            new Hint("Send the text and match it inside the task.", Matcher.class),
            new Hint(
                    "It works between the threads of one process: take the lock, event or barrier of a manager"
                            + " (fiber.manager()), which works between processes.",
                    CountDownLatch.class,
                    CyclicBarrier.class,
                    Phaser.class,
                    Condition.class),
            new Hint(
                    "It is open in this process only: send the file's path or the bytes, and open it inside the task.",
                    InputStream.class,
                    OutputStream.class,
                    Reader.class,
                    Writer.class,
                    Channel.class),
            new Hint("Send its name and look it up inside the task.", Member.class, AnnotatedElement.class),
            OF_ITS_PROCESS);

    private JdkHints() {}

    /**
     * What to do about some classes.
     *
     * @param advice what, a sentence
     * @param types these and what extends them
     */
    private record Hint(String advice, List<Class<?>> types) {
        Hint(String advice, Class<?>... types) {
            this(advice, List.of(types));
        }

        boolean isFor(Class<?> type) {
            return types.stream().anyMatch(wanted -> wanted.isAssignableFrom(type));
        }
    }

    /** Returns what to do about an object of a class of the JDK, a sentence. */
    static String of(Class<?> type) {
        if (type == Object.class) {
            return "A plain Object holds nothing. If it is a lock, make its field static or transient; between processes "
                    + "take the lock of a manager (fiber.manager().lock()).";
        }
        if (type.getName().startsWith("java.util.Optional")) {
            return "Send what is in it, or null.";
        }
        if (isLogger(type)) {
            return LOGGER;
        }
        if (isOneOf(type, IMAGES)) {
            return "Send its bytes or the path of its file, and read it inside the task: ImageIO.write(image, \"png\", "
                    + "out) writes it to a ByteArrayOutputStream, ImageIO.read(in) reads it.";
        }
        for (Hint hint : HINTS) {
            if (hint.isFor(type)) {
                return hint.advice();
            }
        }
        return ANY;
    }

    /** Tells whether objects of a class are of use in the process only that has made them. */
    static boolean staysInItsProcess(Class<?> type) {
        return OF_ITS_PROCESS.isFor(type);
    }

    /** Tells whether a class is a logger of the JDK or of a library that is known. */
    static boolean isLogger(Class<?> type) {
        return isOneOf(type, LOGGERS);
    }

    /** The modules and libraries that have them may be missing here: their classes are told by their names. */
    private static boolean isOneOf(Class<?> type, Set<String> names) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (names.contains(each.getName())) {
                return true;
            }
            for (Class<?> implemented : each.getInterfaces()) {
                if (isOneOf(implemented, names)) {
                    return true;
                }
            }
        }
        return false;
    }
}
