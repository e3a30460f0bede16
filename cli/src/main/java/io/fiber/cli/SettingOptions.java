// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.ConfigSources;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The command-line option for settings. */
final class SettingOptions {

    @Option(
            names = {"-s", "--set"},
            paramLabel = "KEY=VALUE",
            description = {
                "A setting, with or without the prefix 'fiber.': -s slurm.partition=short. It overrides system"
                        + " properties, environment variables (FIBER_...) and .fiberconfig. You can repeat this option."
            })
    private Map<String, String> settings = new LinkedHashMap<>();

    Map<String, String> settings() {
        return Map.copyOf(settings);
    }

    /** Returns the settings as a program would set them in code. */
    Map<String, String> inCode(Optional<String> backend) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        backend.ifPresent(name -> all.put(ConfigKey.BACKEND.key(), name));
        return all;
    }

    /** Returns the sources of settings, with these settings and the option --backend overriding the others. */
    ConfigSources sources(Optional<String> backend) {
        Map<String, String> options = new LinkedHashMap<>();
        settings.keySet().forEach(key -> options.put(key, "-s " + key));
        backend.ifPresent(name -> options.put(ConfigKey.BACKEND.key(), "--backend"));
        return ConfigSources.system(inCode(backend)).withOptions(options);
    }
}
