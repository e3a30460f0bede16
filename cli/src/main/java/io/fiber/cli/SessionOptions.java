// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.runtime.config.ConfigSources;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command-line options for what programs configure with settings. */
final class SessionOptions {

    @Option(
            names = {"-b", "--backend"},
            paramLabel = "NAME",
            description = "The backend: local, docker, kubernetes, slurm, or another one on your class path.")
    private Optional<String> backend = Optional.empty();

    @Mixin
    private SettingOptions settings = new SettingOptions();

    Optional<String> backend() {
        return backend;
    }

    /** Returns the settings, without the backend. */
    Map<String, String> settings() {
        return settings.settings();
    }

    /** Returns the settings as a program would set them in code. */
    Map<String, String> inCode() {
        return settings.inCode(backend);
    }

    /** Returns the sources of settings, with these options overriding the others. */
    ConfigSources sources() {
        return settings.sources(backend);
    }
}
