// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.runtime.session.RuntimeEngine;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.transport.TransportProvider;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** A class path as a user has it: one jar with programs, and those of Fiber with the backend {@code local} alone. */
final class ExampleJars {

    /** The example of the first page, as it stands there. */
    static final String PI_ESTIMATION = "io.fiber.examples.PiEstimation";

    private static final Path EXAMPLES = Path.of("../examples/src/main/java");

    private ExampleJars() {}

    /**
     * Makes the class path.
     *
     * @param edition stands in the jar with the programs, so that those of other editions are other jars
     */
    static String classPath(Path directory, String edition) throws IOException, URISyntaxException {
        List<String> entries =
                new ArrayList<>(List.of(programs(directory, edition).toString()));
        Stream<Class<?>> providers =
                Stream.of(provider(BackendProvider.class, "local"), provider(TransportProvider.class, "socket"));
        for (Class<?> type : Stream.concat(Stream.of(Fiber.class, RuntimeEngine.class, Options.class), providers)
                .toList()) {
            entries.add(Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString());
        }
        Stream.of(Cli.classPath().split(File.pathSeparator, -1))
                .filter(entry -> entry.matches(".*/(agrona|fiber-backend-support)-[^/]*\\.jar")
                        || entry.matches(".*/backend-support/target/.*classes"))
                .forEach(entries::add);
        return String.join(File.pathSeparator, entries);
    }

    /** Makes the class path of a program that brings all backends. */
    static String classPathWithAllBackends(Path directory) throws IOException {
        return programs(directory, "all") + File.pathSeparator + Cli.classPath();
    }

    private static Path programs(Path directory, String edition) throws IOException {
        Path classes = Files.createDirectories(directory.resolve("classes"));
        Path example = EXAMPLES.resolve(PI_ESTIMATION.replace('.', '/') + ".java");
        int code = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", classes.toString(), "-cp", Cli.classPath(), example.toString());
        assertThat(code).as("end of the compiler").isZero();
        for (Class<?> type : List.of(Darts.class, Endless.class, JournaledSquares.class, SharedNote.class)) {
            ProgramJars.copy(type, classes);
        }
        return ProgramJars.write(directory.resolve("app.jar"), edition, classes);
    }

    private static Class<?> provider(Class<?> service, String word) {
        return ServiceLoader.load(service).stream()
                .<Class<?>>map(ServiceLoader.Provider::type)
                .filter(each -> each.getName().contains(word))
                .findFirst()
                .orElseThrow();
    }
}
