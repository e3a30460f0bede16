// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * The sources of settings, highest priority first. Only names that begin with {@code fiber.} and {@code FIBER_} are
 * considered. Immutable.
 *
 * @param code what the program set with builders; keys with or without {@code fiber.}
 * @param directory the directory in which {@code .fiberconfig} is looked for
 * @param options the command-line options for what the program set, by the same keys
 */
public record ConfigSources(
        Map<String, String> code,
        Map<String, String> properties,
        Map<String, String> variables,
        Path directory,
        Map<String, String> options) {

    static final String PROPERTY_PREFIX = "fiber.";
    static final String VARIABLE_PREFIX = "FIBER_";

    public ConfigSources {
        code = Map.copyOf(code);
        properties = Map.copyOf(properties);
        variables = Map.copyOf(variables);
        options = Map.copyOf(options);
    }

    /** Creates the sources of a program without settings on its command line. */
    public ConfigSources(
            Map<String, String> code, Map<String, String> properties, Map<String, String> variables, Path directory) {
        this(code, properties, variables, directory, Map.of());
    }

    /** Returns the key of a setting, which a program may write with the prefix {@code fiber.}. */
    public static String withoutPrefix(String name) {
        return name.startsWith(PROPERTY_PREFIX) ? name.substring(PROPERTY_PREFIX.length()) : name;
    }

    /** Returns the sources of this process, with a lower priority than what the program set. */
    public static ConfigSources system(Map<String, String> code) {
        Properties all = System.getProperties();
        Map<String, String> properties = new LinkedHashMap<>();
        for (String name : all.stringPropertyNames()) {
            String value = name.startsWith(PROPERTY_PREFIX) ? all.getProperty(name) : null;
            if (value != null) {
                properties.put(name, value);
            }
        }
        Map<String, String> variables = new LinkedHashMap<>();
        for (Map.Entry<String, String> variable : System.getenv().entrySet()) {
            if (variable.getKey().startsWith(VARIABLE_PREFIX)) {
                variables.put(variable.getKey(), variable.getValue());
            }
        }
        return new ConfigSources(code, properties, variables, Path.of(""));
    }

    /**
     * Returns the same sources, for a program with settings on its command line.
     *
     * @param said by the keys of what the program set, the command-line option as people know it: {@code --backend}
     */
    public ConfigSources withOptions(Map<String, String> said) {
        return new ConfigSources(code, properties, variables, directory, said);
    }

    /** Returns the names without the values, some of which are secret. */
    @Override
    public String toString() {
        return "ConfigSources[code=" + code.keySet() + ", properties=" + properties.keySet() + ", variables="
                + variables.keySet() + ", directory=" + directory + "]";
    }
}
