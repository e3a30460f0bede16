// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionKey.Visibility;
import io.fiber.spi.OptionType;
import io.fiber.spi.Options;
import io.fiber.spi.Provider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a session: the value of each key and its origin. What the program sets overrides system properties,
 * which override environment variables, the {@code .fiberconfig} file and the default, in this order. All values were
 * checked at creation, so reading one does not fail. Immutable and thread-safe.
 */
public final class FiberConfig {

    static final String MASK = "***";

    private final KnownKeys keys;
    private final Map<String, Setting> values;
    private final List<String> foreignVariables;

    /** Takes what a {@link ConfigReader} has read, which does not change it any more. */
    FiberConfig(KnownKeys keys, Map<String, Setting> values, List<String> foreignVariables) {
        this.keys = keys;
        this.values = values;
        this.foreignVariables = foreignVariables;
    }

    /**
     * Reads and checks all sources. Blocks while one small file is read, if it exists.
     *
     * @throws io.fiber.ConfigurationException with a line for each fault: FBR-107 an unknown option of a provider,
     *     FBR-120 an unknown key (for environment variables, only one that resembles a setting), FBR-121 an invalid
     *     value, FBR-122 a line of the file that is not a setting, FBR-123 a file that cannot be read, FBR-124 a file
     *     that another user may have written
     */
    public static FiberConfig load(ConfigSources sources, KnownKeys keys) {
        return new ConfigReader(keys).read(sources);
    }

    /** Returns the environment variables that begin with {@code FIBER_} and resemble no setting; they were ignored. */
    public List<String> foreignVariables() {
        return foreignVariables;
    }

    /**
     * Creates the settings of a worker only from those of its master, which has checked them. Options of providers that
     * are not on the worker's class path are kept unread.
     *
     * @param ofMaster the result of {@link #toMap()} in the master
     */
    public static FiberConfig fromParent(Map<String, String> ofMaster, KnownKeys keys) {
        Map<String, Setting> values = new TreeMap<>();
        for (Map.Entry<String, String> value : ofMaster.entrySet()) {
            values.put(ConfigSources.withoutPrefix(value.getKey()), new Setting(value.getValue(), Origin.OF_MASTER));
        }
        return new FiberConfig(keys, values, List.of());
    }

    /**
     * Returns what a worker of this session must know: every value that was set and is not the default, by its full
     * key. Sensitive options of backends are left out, because only the master contacts the cluster. The rest may still
     * be sensitive, and belongs in the bootstrap, not on a command line.
     */
    public Map<String, String> toMap() {
        Map<String, String> ofWorkers = new TreeMap<>();
        values.forEach((name, setting) -> {
            boolean isForWorkers = keys.declared(name)
                    .map(declared -> !declared.isOfBackend() || declared.visibility() == Visibility.PUBLIC)
                    .orElse(setting.origin().source() == Origin.Source.MASTER);
            if (isForWorkers && !name.equals(ConfigKey.CONFIG.key())) {
                ofWorkers.put(ConfigSources.PROPERTY_PREFIX + name, setting.value());
            }
        });
        return ofWorkers;
    }

    /**
     * Checks options that the program set for jobs.
     *
     * @param given by their full names, for example {@code slurm.partition}
     * @param backend the backend in use
     * @return the options of this backend, by the name of the option
     * @throws io.fiber.ConfigurationException with a line for each fault: FBR-106 a setting of a session, FBR-107 an
     *     unknown option of the backend, FBR-120 an unknown key, FBR-121 an invalid value
     */
    public Map<String, String> optionsOfJobs(Map<String, String> given, String backend) {
        return given.isEmpty() ? Map.of() : new ConfigReader(keys).readOfJobs(given, backend);
    }

    /** Returns the value of a key, or its default, and its origin; empty if there is neither. */
    public Optional<Setting> setting(ConfigKey key) {
        return Optional.ofNullable(find(key));
    }

    /** Returns the text of a key, or its default; empty if there is neither. */
    public Optional<String> text(ConfigKey key) {
        Setting found = find(key);
        return found == null ? Optional.empty() : Optional.of(found.value());
    }

    /** Returns the value of a {@link OptionType#DURATION} key that has a default. */
    public Duration duration(ConfigKey key) {
        return OptionType.parseDuration(required(key));
    }

    /** Returns the value of an {@link OptionType#INTEGER} key that has a default. */
    public int integer(ConfigKey key) {
        return Integer.parseInt(required(key));
    }

    /** Returns the value of a {@link OptionType#SWITCH} key that has a default. */
    public boolean isOn(ConfigKey key) {
        return OptionType.parseSwitch(required(key));
    }

    /** Returns the value in bytes of a {@link OptionType#SIZE} key that has a default. */
    public long size(ConfigKey key) {
        return OptionType.parseSize(required(key));
    }

    /** Returns the value of a {@link OptionType#PATH} key; empty if it is not set and has no default. */
    public Optional<Path> path(ConfigKey key) {
        Setting found = find(key);
        return found == null ? Optional.empty() : Optional.of(Path.of(found.value()));
    }

    /** Returns the entries of a {@link OptionType#LIST}; none if it is not set. */
    public List<String> list(ConfigKey key) {
        Setting found = find(key);
        return found == null ? List.of() : key.form().split(found.value());
    }

    /** Returns the values that were set for a provider's own options. */
    public Options optionsOf(Provider provider) {
        List<Options.Value> options = new ArrayList<>();
        for (OptionKey key : provider.options()) {
            Setting set = values.get(provider.name() + "." + key.name());
            if (set != null) {
                options.add(new Options.Value(key, set.value(), set.origin().toString()));
            }
        }
        return Options.of(options);
    }

    /**
     * Returns a line for each key and for each option that is set, with its value and origin; sensitive values are
     * masked.
     *
     * @param chosen the values of keys that are not set and have no default
     */
    public String describe(Map<ConfigKey, String> chosen) {
        Map<String, String> lines = new LinkedHashMap<>();
        for (ConfigKey key : ConfigKey.values()) {
            String unset = chosen.containsKey(key)
                    ? chosen.get(key) + " (not set: " + key.defaultText() + ")"
                    : "not set: " + key.defaultText();
            lines.put(
                    key.key(),
                    setting(key).map(set -> shown(set, key.visibility())).orElse(unset));
        }
        values.forEach((name, set) -> lines.putIfAbsent(name, shown(set, visibility(name))));
        StringBuilder text = new StringBuilder();
        lines.forEach((name, value) -> text.append(line(name, value)).append('\n'));
        return text.toString();
    }

    /** Returns a line, as {@link #describe} does, for each key and option that is set, in the order of their names. */
    public List<String> describeSet() {
        List<String> lines = new ArrayList<>();
        values.forEach((name, set) -> lines.add(line(name, shown(set, visibility(name)))));
        return lines;
    }

    @Override
    public String toString() {
        return describe(Map.of());
    }

    private String required(ConfigKey key) {
        return requireNonNull(find(key), key.key()).value();
    }

    private @Nullable Setting find(ConfigKey key) {
        Setting set = values.get(key.key());
        Optional<String> byDefault = key.defaultValue();
        return set == null && byDefault.isPresent() ? Setting.ofDefault(byDefault.get()) : set;
    }

    /** An option that no provider here declares may be a password. */
    private Visibility visibility(String name) {
        return keys.declared(name).map(KnownKeys.Declared::visibility).orElse(Visibility.SENSITIVE);
    }

    private static String line(String name, String value) {
        return ConfigSources.PROPERTY_PREFIX + name + " = " + value;
    }

    private static String shown(Setting set, Visibility visibility) {
        return (visibility == Visibility.SENSITIVE ? MASK : set.value()) + " (from " + set.origin() + ")";
    }
}
