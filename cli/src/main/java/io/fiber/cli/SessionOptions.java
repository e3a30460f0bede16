// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.ConfigSources;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options by which a command is told what a program is told by its settings. */
final class SessionOptions {

    @Option(
            names = {"-b", "--backend"},
            paramLabel = "NAME",
            description = "The backend: local, docker, kubernetes, slurm, or a name that your class path brings.")
    private Optional<String> backend = Optional.empty();

    @Option(
            names = {"-s", "--set"},
            paramLabel = "KEY=VALUE",
            description = {
                "A setting, with or without 'fiber.' in front: -s slurm.partition=short. It wins over system properties,"
                        + " variables (FIBER_...) and .fiberconfig. May be given several times."
            })
    private Map<String, String> settings = new LinkedHashMap<>();

    Optional<String> backend() {
        return backend;
    }

    /** Returns the settings, without the backend. */
    Map<String, String> settings() {
        return Map.copyOf(settings);
    }

    /** Returns the settings as a program would have them in its code. */
    Map<String, String> inCode() {
        Map<String, String> all = new LinkedHashMap<>(settings);
        backend.ifPresent(name -> all.put(ConfigKey.BACKEND.key(), name));
        return all;
    }

    /** Returns the places that settings are read from, with these options above the others. */
    ConfigSources sources() {
        Map<String, String> options = new LinkedHashMap<>();
        settings.keySet().forEach(key -> options.put(key, "-s " + key));
        backend.ifPresent(name -> options.put(ConfigKey.BACKEND.key(), "--backend"));
        return ConfigSources.system(inCode()).withOptions(options);
    }
}
