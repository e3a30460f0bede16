// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fiber.SerializationException;
import io.fiber.function.RemoteFunction;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.serialization.functions.FunctionResources;
import io.fiber.spec.Resources;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program in a module that opens nothing to anybody. */
class NeedsInModulesTest {

    private static final String PROGRAM = """
            package acme;
            public class Main {
                public static final Object FUNCTION = (io.fiber.function.RemoteFunction<Integer, Integer>) Main::train;
                @io.fiber.Needs(cpus = 2, memory = "1g", gpus = 1)
                private static int train(int item) {
                    return item;
                }
                public static final Object NUMBERS = (io.fiber.function.RemoteFunction<Integer, String>) Main::shown;
                public static final Object TEXTS = (io.fiber.function.RemoteFunction<String, String>) Main::shown;
                private static String shown(Object item) {
                    return item + "!";
                }
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void methodBehindAReferenceIsReadThoughItsModuleOpensNothing() throws Exception {
        Class<?> program = loaded();
        Field function = program.getField("FUNCTION");

        assertThat(program.getModule().isNamed()).isTrue();
        assertThat(program.getModule().isOpen("acme", FunctionResources.class.getModule()))
                .isFalse();
        assertThat(FunctionResources.of(function.get(null)))
                .isEqualTo(new FunctionResources(
                        Resources.cpus(2).withMemory("1g").withGpus(1), "@Needs of acme.Main.train"));
    }

    @Test
    void confusedReferencesOfAModuleThatOpensNothingAreRefused() throws Exception {
        Class<?> program = loaded();
        ValueCodec reader =
                new ValueCodec(Serializing.serializer(program.getClassLoader(), TypeFilter.standard()), Side.WORKER);
        Object numbers = reader.read(
                Serializing.written(program.getField("NUMBERS").get(null)).open());
        Payload texts = Serializing.written(program.getField("TEXTS").get(null));

        assertThat(applied(numbers, 1)).isEqualTo("1!");
        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> reader.read(texts.open(), new ValueName("the function", "map")))
                .withMessage("FBR-203 Cannot read the function of map on the worker: acme.Main refers to the method"
                        + " acme.Main::shown in two places, which the compiler has confused (JDK-8208752), and its"
                        + " module does not open the package to io.fiber.runtime. Write one of the two references as a"
                        + " lambda.");
    }

    @SuppressWarnings("unchecked")
    private static Object applied(@Nullable Object function, Object item) throws Exception {
        return ((RemoteFunction<Object, Object>) requireNonNull(function)).apply(item);
    }

    private Class<?> loaded() throws IOException, ReflectiveOperationException {
        Path sources = Files.createDirectories(folder.resolve("src/acme"));
        Path module = Files.writeString(folder.resolve("src/module-info.java"), "module acme { exports acme; }");
        Path program = Files.writeString(sources.resolve("Main.java"), PROGRAM);
        String classes = folder.resolve("classes").toString();
        int status = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        System.out,
                        System.err,
                        "-proc:none",
                        "--add-reads",
                        "acme=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes,
                        module.toString(),
                        program.toString());
        assertThat(status).isZero();
        ModuleLayer.Controller layer = ModuleLayer.defineModulesWithOneLoader(
                Configuration.resolve(
                        ModuleFinder.of(Path.of(classes)),
                        List.of(ModuleLayer.boot().configuration()),
                        ModuleFinder.of(),
                        Set.of("acme")),
                List.of(ModuleLayer.boot()),
                getClass().getClassLoader());
        layer.addReads(layer.layer().findModule("acme").orElseThrow(), FunctionResources.class.getModule());
        return layer.layer().findLoader("acme").loadClass("acme.Main");
    }
}
