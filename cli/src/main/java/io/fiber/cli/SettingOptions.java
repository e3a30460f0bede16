// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.ConfigSources;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option by which a command is told settings. */
final class SettingOptions {

    @Option(
            names = {"-s", "--set"},
            paramLabel = "KEY=VALUE",
            description = {
                "A setting, with or without 'fiber.' in front: -s slurm.partition=short. It wins over system properties,"
                        + " variables (FIBER_...) and .fiberconfig. May be given several times."
            })
    private Map<String, String> settings = new LinkedHashMap<>();

    Map<String, String> settings() {
        return Map.copyOf(settings);
    }

    /** Returns the settings as a program would have them in its code. */
    Map<String, String> inCode(Optional<String> backend) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        backend.ifPresent(name -> all.put(ConfigKey.BACKEND.key(), name));
        return all;
    }

    /** Returns the places that settings are read from, with these and the option --backend above the others. */
    ConfigSources sources(Optional<String> backend) {
        Map<String, String> options = new LinkedHashMap<>();
        settings.keySet().forEach(key -> options.put(key, "-s " + key));
        backend.ifPresent(name -> options.put(ConfigKey.BACKEND.key(), "--backend"));
        return ConfigSources.system(inCode(backend)).withOptions(options);
    }
}
