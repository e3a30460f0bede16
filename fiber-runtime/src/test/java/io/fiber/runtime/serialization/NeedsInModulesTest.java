// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.Resources;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program in a module that opens nothing to anybody. */
class NeedsInModulesTest {

    private static final String PROGRAM = """
            package acme;
            public class Main {
                public static final Object FUNCTION = (io.fiber.function.RemoteFunction<Integer, Integer>) Main::train;
                @io.fiber.Meta(cpus = 2, memory = "1g", gpus = 1)
                private static int train(int item) {
                    return item;
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
                        Resources.cpus(2).withMemory("1g").withGpus(1), "@Meta of acme.Main.train"));
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
