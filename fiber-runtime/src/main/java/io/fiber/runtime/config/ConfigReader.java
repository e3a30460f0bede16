// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import io.fiber.ConfigurationException;
import io.fiber.runtime.config.Origin.Source;
import io.fiber.spi.OptionKey.Scope;
import io.fiber.spi.OptionKey.Visibility;
import io.fiber.spi.backend.JobSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads values from the sources in the order of their priority. It checks each value, including overridden ones, and
 * collects all faults, so that one run shows every fault. Used once. Not thread-safe.
 *
 * <p>Every session and worker starts with this, and the first lambdas of a JVM cost milliseconds, so the code for a
 * configuration without faults has none.
 */
final class ConfigReader {

    /** Names that are not settings; builds and tests of Fiber itself use them. */
    private static final String RESERVED_PROPERTIES = "fiber.test.";

    private static final String RESERVED_VARIABLE_PREFIX = "FIBER_TEST_";
    private static final Origin OF_BUILDER = new Origin(Source.CODE, "backendOptions");
    private static final String SERVICE_HOST = "_SERVICE_HOST";

    private final KnownKeys keys;
    private final Map<String, Setting> values = new TreeMap<>();
    private final List<String> faults = new ArrayList<>();
    private final List<String> foreignVariables = new ArrayList<>();

    ConfigReader(KnownKeys keys) {
        this.keys = keys;
    }

    /** One value as it was found; {@code spelling} is its name as written in that source. */
    private record Found(String spelling, String text, Origin origin) {}

    FiberConfig read(ConfigSources sources) {
        for (Map.Entry<String, String> set : sorted(sources.code()).entrySet()) {
            String option = sources.options().get(set.getKey());
            Origin origin = option == null ? Origin.OF_CODE : new Origin(Source.CODE, option);
            takeNamed(ConfigSources.withoutPrefix(set.getKey()), new Found(set.getKey(), set.getValue(), origin));
        }
        for (Map.Entry<String, String> property : sorted(sources.properties()).entrySet()) {
            takeProperty(property.getKey(), property.getValue());
        }
        for (Map.Entry<String, String> variable : sorted(sources.variables()).entrySet()) {
            takeVariable(variable.getKey(), variable.getValue(), sources.variables());
        }
        // The name of the file may itself be wrong; then the faults found so far say more than a missing file.
        refuseFaults();
        takeFile(sources);
        refuseFaults();
        return new FiberConfig(keys, values, foreignVariables);
    }

    Map<String, String> readOfJobs(Map<String, String> given, String backend) {
        Map<String, String> read = new TreeMap<>();
        String prefix = backend + ".";
        for (Map.Entry<String, String> each : sorted(given).entrySet()) {
            String name = ConfigSources.withoutPrefix(each.getKey());
            takeNamed(name, new Found(each.getKey(), each.getValue(), OF_BUILDER));
            Setting taken = values.get(name);
            boolean isOwn =
                    keys.declared(name).filter(KnownKeys.Declared::isOwn).isPresent();
            if (isOwn || (name.startsWith(prefix) && isOfSession(name))) {
                faults.add(ofSession(name, prefix));
            } else if (name.startsWith(prefix) && taken != null) {
                read.put(name.substring(prefix.length()), taken.value());
            }
        }
        refuseFaults();
        return read;
    }

    private boolean isOfSession(String name) {
        return keys.declared(name)
                .filter(declared -> declared.scope() == Scope.SESSION)
                .isPresent();
    }

    private String ofSession(String name, String prefix) {
        List<String> ofJobs = keys.names().stream()
                .filter(each -> each.startsWith(prefix) && !isOfSession(each))
                .sorted()
                .toList();
        return "FBR-106 Setting '" + name + "' (from " + OF_BUILDER
                + ") applies to the whole session: set it where the session is opened. A single job can have "
                + (ofJobs.isEmpty() ? "no options of this backend." : "these options: " + ofJobs + ".");
    }

    private void takeProperty(String name, String text) {
        if (name.startsWith(ConfigSources.PROPERTY_PREFIX) && !name.startsWith(RESERVED_PROPERTIES)) {
            takeNamed(ConfigSources.withoutPrefix(name), new Found(name, text, new Origin(Source.PROPERTY, name)));
        }
    }

    private void takeFile(ConfigSources sources) {
        Setting named = values.get(ConfigKey.CONFIG.key());
        Path file = sources.directory().resolve(named == null ? ConfigFile.NAME : named.value());
        List<ConfigFile.Line> lines =
                named == null ? ConfigFile.readFound(file) : ConfigFile.readNamed(file, named.origin());
        for (ConfigFile.Line line : lines) {
            Origin origin = new Origin(Source.FILE, file + " line " + line.number());
            if (line.key().equals(ConfigKey.CONFIG.key())) {
                faults.add("FBR-122 " + origin + " sets 'config', which cannot be set in a file. Use "
                        + ConfigKey.CONFIG.variable() + " or -D" + ConfigKey.CONFIG.property() + ".");
            } else {
                takeNamed(line.key(), new Found(line.key(), line.value(), origin));
            }
        }
    }

    private void takeNamed(String name, Found found) {
        if (found.text().isBlank()) {
            return;
        }
        String provider = providerOf(name);
        if (keys.declared(name).isPresent()) {
            take(name, found);
        } else if (keys.isPresent(provider)) {
            faults.add(unknownOption(provider, name, found));
        } else if (keys.isKnownAbsent(provider)) {
            values.putIfAbsent(name, new Setting(found.text().strip(), found.origin()));
        } else {
            faults.add(unknownKey(found, Spelling.nearest(name, keys.names()).map(near -> respelled(found, near))));
        }
    }

    private static String providerOf(String name) {
        return name.substring(0, Math.max(0, name.indexOf('.')));
    }

    private void takeVariable(String variable, String text, Map<String, String> variables) {
        if (!variable.startsWith(ConfigSources.VARIABLE_PREFIX) || text.isBlank()) {
            return;
        }
        Found found = new Found(variable, text, new Origin(Source.ENVIRONMENT, variable));
        String name = keys.nameOf(variable).orElse("");
        if (keys.declared(name).isPresent()) {
            take(name, found);
        } else if (!isReserved(variable, variables)) {
            takeUnknown(name, found);
        }
    }

    /** Other programs also have variables with this prefix, so only a probable typing error is a fault. */
    private void takeUnknown(String name, Found found) {
        String provider = providerOf(name);
        if (keys.isKnownAbsent(provider)) {
            takeNamed(name, found);
        } else if (keys.isPresent(provider)) {
            String option = name.substring(provider.length() + 1);
            if (Spelling.nearest(option, keys.optionNames(provider)).isPresent()) {
                faults.add(unknownOption(provider, name, found));
            } else {
                foreignVariables.add(found.spelling());
            }
        } else {
            Optional<String> meant = nearestVariable(found.spelling());
            if (meant.isPresent()) {
                faults.add(unknownKey(found, meant));
            } else {
                foreignVariables.add(found.spelling());
            }
        }
    }

    private static boolean isReserved(String variable, Map<String, String> variables) {
        return variable.equals(JobSpec.BOOTSTRAP_VARIABLE)
                || variable.startsWith(RESERVED_VARIABLE_PREFIX)
                || isServiceLink(variable, variables);
    }

    /** Kubernetes sets such variables in each pod for each service, and a service may be called "fiber-something". */
    private static boolean isServiceLink(String variable, Map<String, String> variables) {
        for (String other : variables.keySet()) {
            if (other.endsWith(SERVICE_HOST)) {
                String service = other.substring(0, other.length() - SERVICE_HOST.length());
                if (variable.equals(service + "_PORT")
                        || variable.startsWith(service + "_PORT_")
                        || variable.startsWith(service + "_SERVICE_")) {
                    return true;
                }
            }
        }
        return false;
    }

    private void take(String name, Found found) {
        KnownKeys.Declared declared = keys.declared(name).orElseThrow();
        String text = found.text().strip();
        if (declared.accepts(text)) {
            values.putIfAbsent(name, new Setting(text, found.origin()));
        } else {
            String shown = declared.visibility() == Visibility.SENSITIVE ? FiberConfig.MASK : text;
            faults.add("FBR-121 Setting '" + name + "' is '" + shown + "' (from " + found.origin() + "), which is not "
                    + declared.expectation() + ".");
        }
    }

    private String unknownOption(String provider, String name, Found found) {
        List<String> valid = keys.optionNames(provider);
        String option = name.substring(provider.length() + 1);
        String hint = Spelling.nearest(option, valid)
                .map(near -> " Did you mean '" + provider + "." + near + "'?")
                .orElse("");
        String all = valid.isEmpty()
                ? " '" + provider + "' has no options."
                : " Valid options of '" + provider + "': " + new TreeSet<>(valid) + ".";
        return "FBR-107 Unknown option '" + name + "' (from " + found.origin() + ")." + hint + all;
    }

    private static String unknownKey(Found found, Optional<String> meant) {
        String hint = meant.map(near -> " Did you mean '" + near + "'?").orElse("");
        return "FBR-120 Unknown setting '" + found.spelling() + "' (from " + found.origin() + ")." + hint
                + " docs/configuration.md lists every setting.";
    }

    /** Compares only what follows the common prefix, which would make short names similar. */
    private Optional<String> nearestVariable(String variable) {
        int prefix = ConfigSources.VARIABLE_PREFIX.length();
        List<String> candidates = keys.names().stream()
                .map(name -> ConfigKey.variableOf(name).substring(prefix))
                .toList();
        return Spelling.nearest(variable.substring(prefix), candidates)
                .map(near -> ConfigSources.VARIABLE_PREFIX + near);
    }

    private static String respelled(Found found, String name) {
        return found.origin().source() == Source.PROPERTY ? ConfigSources.PROPERTY_PREFIX + name : name;
    }

    private static Map<String, String> sorted(Map<String, String> values) {
        return values.size() < 2 ? values : new TreeMap<>(values);
    }

    private void refuseFaults() {
        if (!faults.isEmpty()) {
            throw new ConfigurationException(String.join("\n", faults));
        }
    }
}
