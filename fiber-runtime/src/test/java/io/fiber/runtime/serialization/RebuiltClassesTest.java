// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fiber.SerializationException;
import io.fiber.function.RemoteFunction;
import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.functions.ClassStamp;
import io.fiber.runtime.serialization.functions.FunctionResources;
import io.fiber.runtime.serialization.functions.ProgramClasses;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program is compiled again while it runs: a worker runs what the program started with, or refuses. */
class RebuiltClassesTest {

    private static final ValueName FUNCTION = new ValueName("the function", "map");
    private static final long BUILT_MS = 1_000_000_000_000L;
    private static final long REBUILT_MS = BUILT_MS + 60_000;
    private static final String WRITTEN_SINCE =
            " was written at 2001-09-09T01:47:40Z, later than all files that existed when the program opened its"
                    + " first session (the newest was written at 2001-09-09T01:46:40Z). A worker runs a function only"
                    + " with the classes that the program started with. Restart the program.";

    private static final String MAIN = """
        package acme;
        public class Main {
            public interface Task extends java.util.concurrent.Callable<Object>, java.io.Serializable {}
            public static class Named implements io.fiber.function.RemoteCallable<Object> {
                private static final long serialVersionUID = 1L;
                public Object call() { return Tax.of(100) + %1$d; }
            }
            static Object method() { return Tax.of(100) + %1$d; }
            public static Object lambda() { Task task = () -> Tax.of(100) + %1$d; return task; }
            public static Object reference() { Task task = Main::method; return task; }
            public static Object ofOther() { Task task = Tax::ofHundred; return task; }
            public static Object named() { return new Named(); }
            public static Object composed() { Task inner = () -> Tax.of(100) + %1$d; return Composed.around(inner); }
        }
        """;
    private static final String COMPOSED = """
        package acme;
        class Composed {
            static Object around(java.util.concurrent.Callable<Object> inner) {
                Main.Task outer = () -> inner.call();
                return outer;
            }
        }
        """;
    private static final String TAX = """
        package acme;
        public class Tax {
            static int of(int i) { return Rate.PERCENT.intValue() * i / 100; }
            static Object ofHundred() { return of(100); }
        }
        """;
    private static final String RATE =
            "package acme; class Rate { static final Integer PERCENT = Integer.valueOf(%d); }";

    private static final String ALONE =
            "package acme; public class Alone { public static Object lambda() { Main.Task task = () -> 1; return"
                    + " task; } }";

    @TempDir
    private Path folder;

    private final List<URLClassLoader> loaders = new ArrayList<>();

    @AfterEach
    void closeLoaders() throws IOException {
        for (URLClassLoader loader : loaders) {
            loader.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lambda", "reference", "named", "composed"})
    void aWorkerThatStartsAfterTheBuildRefusesTheFunction(String kind) throws Exception {
        Path classes = program(19);
        Payload function = written(classes, kind);
        rebuild(classes, "Main", MAIN.formatted(50), BUILT_MS);

        assertRefused(worker(classes), function)
                .startsWith("FBR-203 Cannot read the function of map on the worker: it runs code of class acme.Main")
                .contains(".class comes from another build than the function")
                .endsWith(". A worker runs a function only with the classes that the program started with. Restart"
                        + " the program.");
    }

    @Test
    void aMethodOfAnotherClassIsRefusedToo() throws Exception {
        Path classes = program(19);
        Payload function = written(classes, "ofOther");
        rebuild(classes, "Tax", TAX.replace("of(100)", "of(50)"), BUILT_MS);

        assertRefused(worker(classes), function)
                .contains("it runs code of class acme.Tax, and the file " + classes.resolve("acme/Tax.class")
                        + " comes from another build");
    }

    @Test
    void aClassThatTheFunctionNeedsIsRefusedWhenItWasWrittenSinceTheStart() throws Exception {
        Path classes = program(19);
        Payload function = written(classes, "lambda");
        rebuild(classes, "Rate", RATE.formatted(50), REBUILT_MS);

        assertRefused(worker(classes), function)
                .isEqualTo(
                        "FBR-203 Cannot read the function of map on the worker: it runs code of class acme.Main, which"
                                + " may need others, and the file " + classes.resolve("acme/Rate.class")
                                + WRITTEN_SINCE);
    }

    @Test
    void whatAWorkerHasLoadedItGoesOnRunning() throws Exception {
        Path classes = program(19);
        Payload first = written(classes, "lambda");
        Payload second = written(classes, "ofOther");
        ValueCodec worker = worker(classes);
        assertThat(call(worker, first)).isEqualTo(138);
        rebuild(classes, "Main", MAIN.formatted(50), REBUILT_MS);
        rebuild(classes, "Tax", TAX.replace("of(100)", "of(50)"), REBUILT_MS);
        rebuild(classes, "Rate", RATE.formatted(50), REBUILT_MS);

        assertThat(call(worker, first)).isEqualTo(138);
        assertThat(call(worker, second)).isEqualTo(119);
    }

    @Test
    void aFunctionWhoseClassWasWrittenBeforeItWasFirstSentIsNotSent() throws Exception {
        Path classes = program(19);
        Object function = made(loader(classes), "lambda");
        rebuild(classes, "Main", MAIN.formatted(50), REBUILT_MS);
        ValueCodec master = codec(loader(classes), snapshot(classes), Side.MASTER);

        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> master.writeFunction(function, new PayloadOutput(), FUNCTION))
                .withMessage(
                        "FBR-203 Cannot serialize the function of map: it runs code of class acme.Main, and the file "
                                + classes.resolve("acme/Main.class") + WRITTEN_SINCE);
    }

    @Test
    void aJarThatWasReplacedIsRefusedWhateverTheFunctionNeedsOfIt() throws Exception {
        Path classes = program(19);
        Path library = jar("library.jar", classes);
        ClassPathSnapshot before = ClassPathSnapshot.of(
                List.of(classes.toString(), library.toString()),
                requireNonNull(getClass().getClassLoader()));
        Payload function = written(classes, "lambda");
        Files.setLastModifiedTime(library, java.nio.file.attribute.FileTime.fromMillis(BUILT_MS + 1_000));

        assertRefused(codec(loader(classes), before, Side.WORKER), function)
                .contains("it runs code of class acme.Main, which may need others, and the file " + library
                        + " was replaced while the program was running (it had ");
    }

    @Test
    void theClassesOfAJarAreComparedWhereWorkersHaveACopy() throws Exception {
        Path classes = program(19);
        Payload function = written(classes, "lambda");
        Path same = jar("same.jar", classes);
        rebuild(classes, "Main", MAIN.formatted(50), BUILT_MS);
        Path other = jar("other.jar", classes);

        assertThat(call(codec(loader(same), ClassPathSnapshot.NONE, Side.WORKER), function))
                .isEqualTo(138);
        assertRefused(codec(loader(other), ClassPathSnapshot.NONE, Side.WORKER), function)
                .contains("the file " + other
                        + " comes from another build than the function (its class acme.Main differs)");
    }

    @Test
    void aClassOfAJarThatIsOverwrittenLaterIsLoadedBefore() throws Exception {
        Path classes = program(19);
        Path jar = jar("app.jar", classes);
        Payload function = written(jar, "lambda");
        ValueCodec worker = codec(loader(jar), ClassPathSnapshot.NONE, Side.WORKER);
        Object read = requireNonNull(worker.read(function.open(), FUNCTION));
        Files.write(jar, new byte[0]);

        assertThat(((Callable<?>) read).call()).isEqualTo(138);
    }

    @Test
    void aPathWithABlankIsReadAsAnyOther() throws Exception {
        folder = Files.createDirectory(folder.resolve("my classes"));
        Path classes = program(19);
        Payload function = written(classes, "lambda");
        assertThat(call(worker(classes), function)).isEqualTo(138);
        rebuild(classes, "Main", MAIN.formatted(19), REBUILT_MS);

        assertRefused(worker(classes), function)
                .contains("class acme.Main, and the file " + classes.resolve("acme/Main.class") + WRITTEN_SINCE);
    }

    @Test
    void filesOfAServerWhoseClockIsAheadAreTaken() throws Exception {
        Path classes = program(19);
        setTimes(classes, System.currentTimeMillis() - 1);
        ClassPathSnapshot snapshot =
                ClassPathSnapshot.of(List.of(classes.toString()), ClassLoader.getSystemClassLoader());
        PayloadOutput out = new PayloadOutput();
        URLClassLoader loader = loader(classes);
        codec(loader, snapshot, Side.MASTER).writeFunction(made(loader, "lambda"), out, FUNCTION);

        assertThat(call(codec(loader(classes), snapshot, Side.WORKER), out.toPayload()))
                .isEqualTo(138);
    }

    @Test
    void aFunctionOfAnotherClassThatComesAfterTheBuildIsRefused() throws Exception {
        Path classes = program(19);
        Payload first = written(classes, "lambda");
        URLClassLoader loader = loader(classes);
        PayloadOutput alone = new PayloadOutput();
        codec(loader, ClassPathSnapshot.NONE, Side.MASTER)
                .writeFunction(
                        loader.loadClass("acme.Alone").getMethod("lambda").invoke(null), alone, FUNCTION);
        ValueCodec worker = worker(classes);
        assertThat(call(worker, first)).isEqualTo(138);
        rebuild(classes, "Rate", RATE.formatted(50), REBUILT_MS);

        assertRefused(worker, alone.toPayload())
                .contains("it runs code of class acme.Alone, which may need others, and the file ");
        assertThat(call(worker, first)).isEqualTo(138);
    }

    /** Counts how often it is looked into. */
    private static final class Counting implements RemoteFunction<Integer, Integer>, FunctionResources.Carrier {
        private static final long serialVersionUID = 1L;

        private final AtomicInteger looks = new AtomicInteger();

        @Override
        public Integer apply(Integer item) {
            return item;
        }

        @Override
        public Object carried() {
            looks.incrementAndGet();
            return (RemoteFunction<Integer, Integer>) item -> item;
        }
    }

    @Test
    void aFunctionThatIsCapturedManyTimesIsLookedIntoOnce() {
        Counting counting = new Counting();
        RemoteFunction<Integer, Integer> composed = counting;
        for (int i = 0; i < 20; i++) {
            RemoteFunction<Integer, Integer> inner = composed;
            RemoteFunction<Integer, Integer> same = composed;
            composed = item -> inner.apply(item) + same.apply(item);
        }
        PayloadOutput out = new PayloadOutput();
        codec(requireNonNull(getClass().getClassLoader()), ClassPathSnapshot.NONE, Side.MASTER)
                .writeFunction(composed, out, FUNCTION);

        assertThat(counting.looks).hasValue(1);
    }

    @Test
    void aClassThatIsMissingIsLookedForOnce() {
        AtomicInteger looks = new AtomicInteger();
        ClassLoader loader = new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                looks.incrementAndGet();
                throw new ClassNotFoundException(name);
            }
        };
        ProgramClasses classes = new ProgramClasses(loader, ClassPathSnapshot.NONE, Runnable::run);
        List<ClassStamp> stamps = List.of(new ClassStamp("acme.Missing", 1));
        classes.check(stamps);
        classes.check(stamps);

        assertThat(looks).hasValue(1);
    }

    @Test
    void valuesThatAreNoFunctionsCarryNothing() {
        PayloadOutput out = new PayloadOutput();
        codec(requireNonNull(getClass().getClassLoader()), ClassPathSnapshot.NONE, Side.MASTER)
                .write(List.of("text"), out);

        assertThat(out.toPayload().toArray()[0]).isEqualTo((byte) Tag.OBJECT);
    }

    private org.assertj.core.api.AbstractStringAssert<?> assertRefused(ValueCodec worker, Payload function) {
        SerializationException refusal = org.assertj.core.api.Assertions.catchThrowableOfType(
                SerializationException.class, () -> worker.read(function.open(), FUNCTION));
        assertThat(refusal).isNotNull();
        assertThat(refusal.code()).isEqualTo("FBR-203");
        return assertThat(refusal.getMessage());
    }

    private static Object call(ValueCodec worker, Payload function) throws Exception {
        return requireNonNull(((Callable<?>) requireNonNull(worker.read(function.open(), FUNCTION))).call());
    }

    private Payload written(Path program, String kind) throws Exception {
        URLClassLoader loader = loader(program);
        PayloadOutput out = new PayloadOutput();
        codec(loader, ClassPathSnapshot.NONE, Side.MASTER).writeFunction(made(loader, kind), out, FUNCTION);
        return out.toPayload();
    }

    private static Object made(ClassLoader loader, String kind) throws ReflectiveOperationException {
        return loader.loadClass("acme.Main").getMethod(kind).invoke(null);
    }

    private ValueCodec worker(Path classes) throws IOException {
        return codec(loader(classes), snapshot(classes), Side.WORKER);
    }

    private static ClassPathSnapshot snapshot(Path classes) {
        return new ClassPathSnapshot(List.of(new ClassPathSnapshot.Directory(classes.toString(), BUILT_MS)));
    }

    private static ValueCodec codec(ClassLoader loader, ClassPathSnapshot files, Side side) {
        return new ValueCodec(
                Serializing.serializer(loader, TypeFilter.standard()),
                side,
                new ProgramClasses(loader, files, Runnable::run),
                () -> {});
    }

    private URLClassLoader loader(Path program) throws IOException {
        URLClassLoader loader = new URLClassLoader(
                new URL[] {program.toUri().toURL()}, getClass().getClassLoader());
        loaders.add(loader);
        return loader;
    }

    /** Compiles the program into a directory; all its files are older than its start. */
    private Path program(int number) throws IOException {
        Path target = Files.createDirectory(folder.resolve("classes"));
        compile(
                target,
                Map.of(
                        "Main",
                        MAIN.formatted(number),
                        "Composed",
                        COMPOSED,
                        "Alone",
                        ALONE,
                        "Tax",
                        TAX,
                        "Rate",
                        RATE.formatted(119)));
        setTimes(target, BUILT_MS);
        return target;
    }

    private static void setTimes(Path classes, long ms) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(classes.resolve("acme"))) {
            for (Path file : files) {
                setTime(file, ms);
            }
        }
    }

    private static void setTime(Path file, long ms) {
        assertThat(file.toFile().setLastModified(ms)).isTrue();
    }

    /** Compiles one class again, in place. */
    private void rebuild(Path classes, String name, String source, long timeMs) throws IOException {
        Path fresh = Files.createTempDirectory(folder, "rebuilt");
        compile(
                fresh,
                Map.of(
                        "Main",
                        MAIN.formatted(19),
                        "Composed",
                        COMPOSED,
                        "Alone",
                        ALONE,
                        "Tax",
                        TAX,
                        "Rate",
                        RATE.formatted(119)),
                name,
                source);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(fresh.resolve("acme"), name + "*.class")) {
            for (Path file : files) {
                Path target = classes.resolve("acme").resolve(file.getFileName().toString());
                Files.write(target, Files.readAllBytes(file));
                setTime(target, timeMs);
            }
        }
    }

    private void compile(Path target, Map<String, String> sources, String name, String source) throws IOException {
        Map<String, String> changed = new java.util.HashMap<>(sources);
        changed.put(name, source);
        compile(target, changed);
    }

    private void compile(Path target, Map<String, String> sources) throws IOException {
        Path folderOfSources = Files.createTempDirectory(folder, "sources");
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path") + File.pathSeparator + apiFolder(),
                "-d",
                target.toString()));
        for (Map.Entry<String, String> each : sources.entrySet()) {
            arguments.add(Files.writeString(folderOfSources.resolve(each.getKey() + ".java"), each.getValue())
                    .toString());
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }

    private static String apiFolder() {
        return io.fiber.Fiber.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
    }

    private Path jar(String name, Path classes) throws IOException {
        Path jar = folder.resolve(name);
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                DirectoryStream<Path> entries = Files.newDirectoryStream(classes.resolve("acme"))) {
            for (Path entry : entries) {
                out.putNextEntry(new JarEntry("acme/" + entry.getFileName()));
                Files.copy(entry, out);
                out.closeEntry();
            }
        }
        setTime(jar, BUILT_MS);
        return jar;
    }
}
