// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The values that were set for one provider's {@linkplain OptionKey options}, each with its origin. Every value has
 * been checked against its key, so reading one does not fail. Immutable and thread-safe.
 */
public final class Options {

    private static final Options NONE = new Options(Map.of());

    private final Map<String, Value> values;

    private Options(Map<String, Value> values) {
        this.values = values;
    }

    /**
     * One value that was set.
     *
     * @param key the option
     * @param text the value as it was written
     * @param origin where it was set, for people to read: {@code "environment variable FIBER_SLURM_PARTITION"}
     */
    public record Value(OptionKey key, String text, String origin) {
        /**
         * Checks the text against the key.
         *
         * @throws IllegalArgumentException with the option, the value, its origin and what was expected
         */
        public Value {
            requireNonNull(origin, "origin");
            if (!key.type().accepts(text)) {
                String shown = key.visibility() == OptionKey.Visibility.SENSITIVE ? "***" : text;
                throw new IllegalArgumentException("Option '" + key.name() + "' is '" + shown + "' (from " + origin
                        + "), which is not " + key.type().expectation() + ".");
            }
        }

        /** Returns key, value and origin; a sensitive value is masked. */
        @Override
        public String toString() {
            String shown = key.visibility() == OptionKey.Visibility.SENSITIVE ? "***" : text;
            return key.name() + "=" + shown + " (from " + origin + ")";
        }
    }

    /** Returns options with nothing set. */
    public static Options none() {
        return NONE;
    }

    /** Returns options with these values; if two have the same key, the first one applies. */
    public static Options of(List<Value> values) {
        Map<String, Value> byName = new TreeMap<>();
        for (Value value : values) {
            byName.putIfAbsent(value.key().name(), value);
        }
        return new Options(byName);
    }

    /**
     * Returns these options for one job, whose own values override them.
     *
     * @param ofJob {@code JobSpec.options()}
     * @param keys the provider's keys
     */
    public Options with(Map<String, String> ofJob, List<OptionKey> keys) {
        if (ofJob.isEmpty()) {
            return this;
        }
        Map<String, Value> all = new TreeMap<>(values);
        for (OptionKey key : keys) {
            String text = ofJob.get(key.name());
            if (text != null) {
                all.put(key.name(), new Value(key, text, "the options of the job"));
            }
        }
        return new Options(all);
    }

    /** Returns the values that were set, in the order of their names. */
    public List<Value> values() {
        return List.copyOf(values.values());
    }

    /** Returns the text of an option; empty if it is not set. */
    public Optional<String> text(String name) {
        Value value = values.get(name);
        return value == null ? Optional.empty() : Optional.of(value.text());
    }

    /** Returns an {@link OptionType#INTEGER} option; empty if it is not set. */
    public OptionalLong integer(String name) {
        Value value = values.get(name);
        return value == null
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(value.text().trim()));
    }

    /** Returns an {@link OptionType#SWITCH} option; empty if it is not set. */
    public Optional<Boolean> isOn(String name) {
        return text(name).map(OptionType::parseSwitch);
    }

    /** Returns a {@link OptionType#DURATION} option; empty if it is not set. */
    public Optional<Duration> duration(String name) {
        return text(name).map(OptionType::parseDuration);
    }

    /** Returns a {@link OptionType#SIZE} option in bytes; empty if it is not set. */
    public OptionalLong sizeBytes(String name) {
        Value value = values.get(name);
        return value == null ? OptionalLong.empty() : OptionalLong.of(OptionType.parseSize(value.text()));
    }

    /** Returns a {@link OptionType#PATH} option; empty if it is not set. */
    public Optional<Path> path(String name) {
        return text(name).map(Path::of);
    }

    /** Returns a {@link OptionType#LIST} option without blank entries; empty if it is not set. */
    public List<String> list(String name) {
        return text(name)
                .map(text -> Arrays.stream(text.split(","))
                        .map(String::trim)
                        .filter(entry -> !entry.isEmpty())
                        .toList())
                .orElse(List.of());
    }

    /** Returns the values with their origins; sensitive values are masked. */
    @Override
    public String toString() {
        return values.values().toString();
    }
}
