// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fiber.SerializationException;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.SerializedLambda;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs are compiled in two versions, one for each side. */
class DifferingClassesTest {

    private static final String TASK = """
            package acme;
            public class Main implements java.io.Serializable {
                private static final long serialVersionUID = %dL;
                public interface Task extends java.util.concurrent.Callable<Object>, java.io.Serializable {}
                public static Object job() { return new Main(); }
                public static Object lambda(int x) { Task task = () -> %s; return task; }
                %s
            }
            """;

    @TempDir
    private Path folder;

    private final List<URLClassLoader> loaders = new ArrayList<>();

    @AfterEach
    void closeLoaders() throws IOException {
        for (URLClassLoader loader : loaders) {
            loader.close();
        }
    }

    @Test
    void aFunctionFindsItsClassThroughTheGivenLoader() throws Exception {
        ClassLoader there = compiled(TASK.formatted(1, "x * 2", ""));
        ClassLoader side = compiled(TASK.formatted(1, "x * 2", ""));
        Object read = reader(side).read(written(call(there, "lambda", 21)).open());

        assertThat(read).isInstanceOf(Callable.class);
        assertThat(((Callable<?>) java.util.Objects.requireNonNull(read)).call())
                .isEqualTo(42);
        assertThat(read.getClass().getClassLoader()).isSameAs(side);
    }

    @Test
    void aMissingClassIsNamedWithItsSide() throws Exception {
        ClassLoader there = compiled(TASK.formatted(1, "x", ""));
        Payload payload = written(List.of(call(there, "job")));

        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> Serializing.read(payload))
                .withMessage("FBR-202 Cannot read argument 17 of map on the worker: class acme.Main is missing there."
                        + " Put the jar or directory that contains it on the class path of the worker. If the program"
                        + " has the class only in memory (java Main.java, JShell), set remote-class-loading to on.")
                .matches(e -> e.code().equals("FBR-202"));
    }

    @Test
    void aMissingClassOfALambdaIsNamed() throws Exception {
        Payload payload = written(call(compiled(TASK.formatted(1, "x", "")), "lambda", 1));

        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(
                        () -> Serializing.on(Side.MASTER).read(payload.open(), new ValueName("the function", "map")))
                .withMessage("FBR-202 Cannot read the function of map on the master: class acme.Main is missing"
                        + " there. Put the jar or directory that contains it on the class path of the master.");
    }

    @Test
    void aClassOfAnotherVersionIsNamed() throws Exception {
        Payload payload = written(call(compiled(TASK.formatted(1, "x", "")), "job"));
        ValueCodec reader = reader(compiled(TASK.formatted(2, "x", "")));

        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> reader.read(payload.open(), Serializing.ARGUMENT, 17))
                .withMessage("FBR-203 Cannot read argument 17 of map on the worker: "
                        + "class acme.Main differs from the one that was written (local class incompatible: "
                        + "stream classdesc serialVersionUID = 1, local class serialVersionUID = 2). "
                        + "Run the same build of the program on both sides.")
                .matches(e -> e.code().equals("FBR-203"));
    }

    @Test
    void aFieldOfAnotherTypeIsNamed() throws Exception {
        Payload payload = written(call(compiled(TASK.formatted(1, "x", "Object f = \"text\";")), "job"));
        ValueCodec reader = reader(compiled(TASK.formatted(1, "x", "Integer f = 1;")));

        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> reader.read(payload.open(), Serializing.ARGUMENT, 17))
                .withMessageStartingWith("FBR-203 Cannot read argument 17 of map on the worker: ")
                .withMessageEndingWith("Run the same build of the program on both sides.");
    }

    @Test
    void referencesToOneMethodAreToldApartInClassesOfAnotherLoader() throws Exception {
        String references = """
                private static String shown(Object value) { return value + "!"; }
                private interface Own<T> extends java.util.function.Function<T, Object>, java.io.Serializable {}
                public static Object first() { Own<Integer> own = Main::shown; return own; }
                public static Object second() { Own<String> own = Main::shown; return own; }
                """;
        ClassLoader there = compiled(TASK.formatted(1, "x", references));
        ValueCodec reader = reader(compiled(TASK.formatted(1, "x", references)));

        assertThat(applied(reader.read(written(call(there, "first")).open()), 1))
                .isEqualTo("1!");
        assertThat(applied(reader.read(written(call(there, "second")).open()), "a"))
                .isEqualTo("a!");
        assertThat(reader.read(written(List.of(call(there, "second"))).open()))
                .satisfies(read ->
                        assertThat(applied(((List<?>) read).get(0), "b")).isEqualTo("b!"));
    }

    @SuppressWarnings("unchecked")
    private static Object applied(@Nullable Object function, Object item) {
        return ((Function<Object, Object>) requireNonNull(function)).apply(item);
    }

    @Test
    void aLambdaThatHasChangedIsNamed() throws Exception {
        Payload payload = written(call(compiled(TASK.formatted(1, "x", "")), "lambda", 1));
        ValueCodec reader = reader(compiled(TASK.formatted(1, "\"no capture\"", "")));

        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> reader.read(payload.open(), new ValueName("the function", "map")))
                .withMessage("FBR-203 Cannot read the function of map on the worker: class acme.Main does not contain"
                        + " the lambda that was sent. Run the same build of the program on both sides.");
    }

    @Test
    void aLambdaThatIsGoneIsNamed() throws Exception {
        Payload payload = written(call(compiled(TASK.formatted(1, "x", "")), "lambda", 1));
        String without =
                "package acme; public class Main implements java.io.Serializable { static final long serialVersionUID = 1L;"
                        + " public interface Task extends java.io.Serializable {} }";

        ValueCodec reader = reader(compiled(without));
        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> reader.read(payload.open(), new ValueName("the function", "map")))
                .withMessage("FBR-203 Cannot read the function of map on the worker: class acme.Main does not contain"
                        + " the lambda that was sent. Run the same build of the program on both sides.");
    }

    @Test
    void aLambdaOfARelocatedClassIsExplained() throws Exception {
        String relocated = """
                private static int lambda$made$0(int x) { return x; }
                private static Object $deserializeLambda$(java.lang.invoke.SerializedLambda lambda) {
                    throw new IllegalArgumentException("Invalid lambda deserialization");
                }
                """;
        String program = TASK.formatted(1, "x", relocated).replace("Task task = () -> x; return task;", "return x;");
        ClassLoader there = compiled(program);
        SerializedLambda lambda = new SerializedLambda(
                there.loadClass("acme.Main"),
                "acme/Main$Task",
                "call",
                "()Ljava/lang/Object;",
                MethodHandleInfo.REF_invokeStatic,
                "acme/Main",
                "lambda$made$0",
                "(I)I",
                "()Ljava/lang/Object;",
                new Object[] {1});

        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> reader(there).read(written(lambda).open(), new ValueName("the function", "map")))
                .withMessage("FBR-203 Cannot read the function of map on the worker: the lambda lambda$made$0(I)I is"
                        + " in acme.Main, but the code there that deserializes lambdas does not know it. Run the same"
                        + " build of the program on both sides. If you already do, maven-shade-plugin has relocated"
                        + " classes: it renames them, but not in that generated code. Exclude the classes in the"
                        + " lambda's signature from the relocation, or replace the lambda with a class.");
    }

    @Test
    void aNewerClassIsNamedWithBothVersions() throws Exception {
        Payload payload = written(call(compiled(TASK.formatted(1, "x", "")), "job"));
        Path older = compiledInto(TASK.formatted(1, "x", ""));
        Path file = older.resolve("acme/Main.class");
        byte[] bytes = Files.readAllBytes(file);
        bytes[6] = 0;
        bytes[7] = (byte) (44 + 99);
        Files.write(file, bytes);
        int here = Runtime.version().feature();

        ValueCodec reader = reader(loader(older));
        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> reader.read(payload.open(), new ValueName("the result", "map")))
                .withMessage(
                        "FBR-207 Cannot read the result of map on the worker: class acme.Main was compiled for Java 99."
                                + " The worker runs Java " + here
                                + ". Set worker.java to Java 99 or later, or compile with --release "
                                + here + ".")
                .matches(e -> e.code().equals("FBR-207"));
    }

    @Test
    void aClassOfANewerJdkIsNamedWithTheVersion() {
        SerializationException thrown =
                ReadFailure.of("a value", Side.WORKER, new ClassNotFoundException("java.util.Sequenced"));

        assertThat(thrown)
                .hasMessage(
                        "FBR-202 Cannot read a value on the worker: class java.util.Sequenced is missing there. The worker"
                                + " runs Java " + Runtime.version().feature()
                                + ", which does not have it. Set worker.java to the Java"
                                + " of the process that wrote it or later.");
    }

    private static ValueCodec reader(ClassLoader loader) {
        return new ValueCodec(Serializing.serializer(loader, TypeFilter.standard()), Side.WORKER);
    }

    private static Payload written(Object value) {
        PayloadOutput out = new PayloadOutput();
        Serializing.on(Side.MASTER).write(value, out);
        return out.toPayload();
    }

    private static Object call(ClassLoader loader, String method, Object... arguments) throws Exception {
        Class<?>[] types = arguments.length == 0 ? new Class<?>[0] : new Class<?>[] {int.class};
        return loader.loadClass("acme.Main").getMethod(method, types).invoke(null, arguments);
    }

    private ClassLoader compiled(String source) {
        return loader(compiledInto(source));
    }

    private Path compiledInto(String source) {
        try {
            Path target = Files.createTempDirectory(folder, "program");
            Path file = Files.writeString(target.resolve("Main.java"), source);
            int result = ToolProvider.getSystemJavaCompiler()
                    .run(null, null, null, "-proc:none", "-d", target.toString(), file.toString());
            assertThat(result).isZero();
            return target;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ClassLoader loader(Path target) {
        try {
            URLClassLoader loader = new URLClassLoader(
                    new URL[] {target.toUri().toURL()}, getClass().getClassLoader());
            loaders.add(loader);
            return loader;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
