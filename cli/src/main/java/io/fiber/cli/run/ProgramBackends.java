// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.discovery.BackendSelection;
import io.fiber.runtime.discovery.Providers;
import io.fiber.runtime.discovery.Selected;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Optional;

/**
 * The backend that runs a program. If the program's own class path has backends that fit, it is selected from those,
 * otherwise from those of this command. So a program runs with the backends in its own jars, in the versions with which
 * it was built.
 *
 * @param backend the selected backend
 * @param config the settings
 * @param isOfFiber whether the program's class path has backends
 * @param programs the loader of the program's class path, if the backend comes from there
 */
public record ProgramBackends(
        Selected<BackendProvider> backend, FiberConfig config, boolean isOfFiber, Optional<URLClassLoader> programs)
        implements AutoCloseable {

    /**
     * Selects the backend.
     *
     * @param named the backend on the command line; empty if the settings or the class path decide
     * @param sources the sources of settings
     * @throws io.fiber.FiberException if no backend can be selected, or a setting is wrong
     */
    public static ProgramBackends select(Program program, Optional<String> named, ConfigSources sources) {
        boolean isOfFiber = false;
        if (program instanceof Program.Java java && !java.classPath().isEmpty()) {
            URLClassLoader loader = ClassPath.loader(java.classPath());
            Providers providers = Providers.discover(List.of(loader));
            isOfFiber = !providers.backends().names().isEmpty();
            boolean fits = named.map(providers.backends().names()::contains).orElse(isOfFiber);
            if (fits) {
                // Libraries of a backend look for their own parts with this loader.
                Thread.currentThread().setContextClassLoader(loader);
                return select(providers, sources, isOfFiber, Optional.of(loader));
            }
            close(loader);
        }
        ClassLoader own = ProgramBackends.class.getClassLoader();
        return select(Providers.discover(List.of(own)), sources, isOfFiber, Optional.empty());
    }

    private static ProgramBackends select(
            Providers providers, ConfigSources sources, boolean isOfFiber, Optional<URLClassLoader> loader) {
        FiberConfig config = FiberConfig.load(sources, providers.keys(List.of()));
        Selected<BackendProvider> selected =
                new BackendSelection(providers.backends(), Environment.system()).select(config);
        return new ProgramBackends(selected, config, isOfFiber, loader);
    }

    /** Returns the program with the java that the settings name for workers, unless its own words name another. */
    public Program withJava(Program program) {
        Optional<String> set = config.text(ConfigKey.WORKER_JAVA);
        return program instanceof Program.Java java
                ? new Program.Java(
                        java.executable().or(() -> set),
                        java.jvmOptions(),
                        java.classPath(),
                        java.modulePath(),
                        java.main(),
                        java.arguments())
                : program;
    }

    @Override
    public void close() {
        programs.ifPresent(ProgramBackends::close);
    }

    private static void close(URLClassLoader loader) {
        try {
            loader.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
