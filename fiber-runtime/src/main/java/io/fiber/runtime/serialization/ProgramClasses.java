// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static java.util.Objects.requireNonNull;

import io.fiber.SerializationException;
import io.fiber.runtime.platform.ClassPathSnapshot;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Makes sure that a function's reader runs the code that its writer has. The writer says which classes a function is of; the
 * reader compares them with its own before it reads the function, and refuses others. Where both read the same files,
 * neither takes one that was written while the program runs. Thread-safe.
 *
 * <p>A reader also loads the classes beside the function's own that these lead to, so that a later build cannot change what
 * has been found right. It does so a second later: a program is not built again that soon.
 */
public final class ProgramClasses {

    /**
     * How many classes are followed from a function, the nearest ones first. To look at one takes a fresh JVM 0.1 ms, and a
     * program whose classes all lead to each other must not wait for all of them.
     */
    private static final int MOST_REACHED = 200;

    private static final String CHANGED = "FBR-203";
    private static final String RESTART =
            ". Workers run the classes that the program started with, or none. Restart the program";

    private static final ClassValue<Boolean> FUNCTIONS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return type.isHidden()
                    || FunctionResources.Carrier.class.isAssignableFrom(type)
                    || isOfFunctionInterface(type);
        }
    };

    /** Whether lambdas of a class capture what may be a function. */
    private static final ClassValue<Boolean> CAPTURE_OBJECTS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            for (Field field : type.getDeclaredFields()) {
                if (!FlatWriter.isPlain(field.getType())) {
                    return true;
                }
            }
            return false;
        }
    };

    private final ClassLoader loader;
    private final ClassPathSnapshot files;
    private final Executor later;
    private final Map<Class<?>, Optional<ClassStamp>> stamps = new ConcurrentHashMap<>();
    /** The stamps of lambdas that capture nothing that could be a function. */
    private final Map<Class<?>, List<ClassStamp>> stampsOfLambdas = new ConcurrentHashMap<>();
    /** The CRCs of classes that were found right, and that this JVM has loaded. */
    private final Map<String, Integer> loaded = new ConcurrentHashMap<>();

    private boolean areJarsChecked;

    /** Creates the classes that {@code loader} has; {@code later} loads those that functions lead to. */
    ProgramClasses(ClassLoader loader, ClassPathSnapshot files, Executor later) {
        this.loader = loader;
        this.files = files;
        this.later = later;
    }

    private static boolean isOfFunctionInterface(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Class<?> implemented : each.getInterfaces()) {
                if (implemented.getName().startsWith("io.fiber.function.") || isOfFunctionInterface(implemented)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns the stamps of the classes whose code a value is; none if it is no function.
     *
     * @throws SerializationException FBR-203 if one was written while the program runs
     */
    List<ClassStamp> of(Object value) {
        if (!FUNCTIONS.get(value.getClass())) {
            return List.of();
        }
        List<ClassStamp> known = stampsOfLambdas.get(value.getClass());
        if (known != null) {
            return known;
        }
        Map<String, ClassStamp> found = new LinkedHashMap<>();
        collect(value, found);
        List<ClassStamp> stampsOfValue = List.copyOf(found.values());
        if (value.getClass().isHidden() && !CAPTURE_OBJECTS.get(value.getClass())) {
            stampsOfLambdas.put(value.getClass(), stampsOfValue);
        }
        return stampsOfValue;
    }

    private void collect(Object function, Map<String, ClassStamp> found) {
        if (found.size() >= ClassStamp.MOST) {
            return;
        }
        if (function instanceof FunctionResources.Carrier carrier) {
            collect(carrier.carried(), found);
            return;
        }
        Class<?> type = function.getClass();
        SerializedLambda lambda = type.isHidden() ? ReferencedMethod.lambda(function) : null;
        if (lambda == null) {
            if (!type.isHidden()) {
                add(type, found);
            }
            return;
        }
        add(lambda.getCapturingClass(), type.getClassLoader(), found);
        add(lambda.getImplClass(), type.getClassLoader(), found);
        for (int i = 0; i < lambda.getCapturedArgCount(); i++) {
            Object captured = lambda.getCapturedArg(i);
            if (captured != null && FUNCTIONS.get(captured.getClass())) {
                collect(captured, found);
            }
        }
    }

    private void add(String path, @Nullable ClassLoader owner, Map<String, ClassStamp> found) {
        try {
            add(Class.forName(path.replace('/', '.'), false, owner), found);
        } catch (ClassNotFoundException | LinkageError e) {
            // It was unloaded, or is broken: the reader will say so.
        }
    }

    private void add(Class<?> type, Map<String, ClassStamp> found) {
        if (found.size() < ClassStamp.MOST && !Types.isOfJdk(type) && !found.containsKey(type.getName())) {
            stampOf(type).ifPresent(stamp -> found.put(stamp.name(), stamp));
        }
    }

    private Optional<ClassStamp> stampOf(Class<?> type) {
        Optional<ClassStamp> known = stamps.get(type);
        if (known == null) {
            known = readStamp(type);
            stamps.put(type, known);
        }
        return known;
    }

    private Optional<ClassStamp> readStamp(Class<?> type) {
        String name = type.getName();
        try (ClassFiles around = ClassFiles.beside(type, requireNonNull(type.getClassLoader()))) {
            File file = around.fileOf(name);
            if (file != null && !loaded.containsKey(name)) {
                Optional<String> change = files.change(file);
                if (change.isPresent()) {
                    throw new RefusedInputException(CHANGED, describe(name, change.get()));
                }
            }
            Integer crc = loaded.containsKey(name) ? loaded.get(name) : around.crcOf(name);
            return crc == null ? Optional.empty() : Optional.of(new ClassStamp(name, crc));
        } catch (IOException e) {
            // As for a class that is in memory only, nothing is known of it.
            return Optional.empty();
        }
    }

    /** Refuses classes of a function that are not those of its writer. */
    void check(List<ClassStamp> ofWriter) {
        for (ClassStamp stamp : ofWriter) {
            Integer known = loaded.get(stamp.name());
            if (known == null || known != stamp.crc()) {
                checkNow(stamp);
            }
        }
    }

    private synchronized void checkNow(ClassStamp stamp) {
        Class<?> type = load(stamp.name());
        if (type == null || Types.isOfJdk(type)) {
            return;
        }
        try (ClassFiles around = ClassFiles.beside(type, requireNonNull(type.getClassLoader()))) {
            File file = around.fileOf(stamp.name());
            Integer known = loaded.get(stamp.name());
            Integer crc = known == null ? around.crcOf(stamp.name()) : known;
            if (crc == null) {
                return;
            }
            Optional<String> change = file == null || known != null ? Optional.empty() : files.change(file);
            if (change.isPresent() || crc != stamp.crc()) {
                throw new RefusedInputException(
                        CHANGED, describe(stamp.name(), change.orElseGet(() -> differs(stamp.name(), file))));
            }
            checkJars(stamp.name());
            follow(type, file);
        } catch (IOException e) {
            // Its file was there when it was loaded, and is not now: what is in memory is what the program started
            // with.
        }
        loaded.put(stamp.name(), stamp.crc());
    }

    private static String differs(String name, @Nullable File file) {
        return (file == null ? "its class file" : "the file " + file.getPath())
                + " is of another build than the one that the function was sent from"
                + (file == null || !file.getName().endsWith(".jar") ? "" : ", as far as " + name + " goes");
    }

    private static String describe(String name, String change) {
        return "it runs code of class " + name + ", and " + change + RESTART;
    }

    /** Once is enough: this JVM has opened its jars. */
    private void checkJars(String name) {
        if (!areJarsChecked) {
            Optional<String> change = files.changedJar();
            if (change.isPresent()) {
                throw new RefusedInputException(
                        CHANGED,
                        "it runs code of class " + name + ", which may need other jars, and " + change.get() + RESTART);
            }
            areJarsChecked = true;
        }
    }

    /** Looks at what the code of a class leads to, and has it loaded. */
    private void follow(Class<?> root, @Nullable File file) throws IOException {
        if (file == null) {
            return;
        }
        ClassLoader owner = requireNonNull(root.getClassLoader());
        if (file.getName().endsWith(".class")) {
            List<File> directories = files.directories();
            List<String> reached = checkReachable(root.getName(), file, directories);
            if (!reached.isEmpty()) {
                later.execute(() -> loadFromDirectories(reached, directories));
            }
        } else {
            later.execute(() -> loadFromJar(root, owner, file));
        }
    }

    /** Refuses a class of a directory that the code of a class leads to, as far as it has been looked at. */
    private List<String> checkReachable(String root, File rootFile, List<File> directories) throws IOException {
        Set<String> met = new HashSet<>(loaded.keySet());
        met.add(root);
        List<String> reached = new ArrayList<>();
        ArrayDeque<String> names = new ArrayDeque<>(mentioned(rootFile));
        while (reached.size() < MOST_REACHED && !names.isEmpty()) {
            String name = names.remove();
            File file = isOfJdk(name) || !met.add(name) ? null : find(name, directories);
            if (file != null) {
                Optional<String> change = files.change(file);
                if (change.isPresent()) {
                    throw new RefusedInputException(CHANGED, describe(root + ", which needs " + name, change.get()));
                }
                reached.add(name);
                names.addAll(mentioned(file));
            }
        }
        return reached;
    }

    /** Loads a class before it looks at its file: what is written between the two is seen. */
    private void loadFromDirectories(List<String> names, List<File> directories) {
        for (String name : names) {
            File file = find(name, directories);
            if (file != null && load(name) != null && files.change(file).isEmpty()) {
                try {
                    loaded.put(name, ClassFiles.crcOf(bytes(file)));
                } catch (IOException e) {
                    // Nothing is known of it then.
                }
            }
        }
    }

    private void loadFromJar(Class<?> root, ClassLoader owner, File jar) {
        try (ClassFiles around = ClassFiles.beside(root, owner)) {
            Set<String> met = new HashSet<>(loaded.keySet());
            ArrayDeque<String> names = new ArrayDeque<>(List.of(root.getName()));
            for (int left = MOST_REACHED; left > 0 && !names.isEmpty(); left--) {
                String name = names.remove();
                ClassFile file = around.find(name);
                Integer crc = around.crcOf(name);
                if (file == null
                        || crc == null
                        || load(name) == null
                        || files.change(jar).isPresent()) {
                    continue;
                }
                loaded.put(name, crc);
                for (String next : file.classNames()) {
                    if (!isOfJdk(next) && met.add(next) && around.fileOf(next) != null) {
                        names.add(next);
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            // A jar that is being written over: what is needed of it will not load.
        }
    }

    private static List<String> mentioned(File classFile) throws IOException {
        return new ClassFile(bytes(classFile)).classNames();
    }

    private static byte[] bytes(File file) throws IOException {
        try (InputStream in = new FileInputStream(file)) {
            return in.readAllBytes();
        }
    }

    private static boolean isOfJdk(String name) {
        return name.startsWith("java.") || name.startsWith("javax.") || name.startsWith("jdk.");
    }

    private static @Nullable File find(String name, List<File> directories) {
        String path = name.replace('.', '/').concat(".class");
        for (File directory : directories) {
            File file = new File(directory, path);
            if (file.isFile()) {
                return file;
            }
        }
        return null;
    }

    private @Nullable Class<?> load(String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }
}
