// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.spi.OptionType;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The option {@code fiber.slurm.memory}: a size, a way to ask, or both, such as {@code 2g per-cpu}.
 *
 * @param size in bytes, for jobs that request none; empty if the option does not name one
 * @param way how Slurm is asked for the memory of a job
 */
record MemoryOption(OptionalLong size, Way way) {

    static final String NAME = "memory";
    private static final long DEFAULT_BYTES = 1L << 30;

    /** Options of {@code sbatch} that request memory; it accepts only one of them. */
    private static final Set<String> REQUESTS = Set.of("--mem", "--mem-per-cpu", "--mem-per-gpu");

    /** How Slurm is asked for memory. Sites forbid some ways. */
    enum Way {
        /** By {@code --mem}. */
        PER_NODE,
        /** By {@code --mem-per-cpu}. */
        PER_CPU,
        /** Not at all: a job gets what the partition gives. */
        NONE;

        private static Optional<Way> of(String word) {
            return List.of(values()).stream()
                    .filter(way ->
                            way.name().equals(word.toUpperCase(Locale.ROOT).replace('-', '_')))
                    .findFirst();
        }
    }

    /**
     * Reads the option.
     *
     * @throws BackendException FBR-135 if it is something else
     */
    static MemoryOption of(Options options) {
        OptionalLong size = OptionalLong.empty();
        Optional<Way> way = Optional.empty();
        String text = options.text(NAME).map(String::strip).orElse("");
        for (String word : text.isEmpty() ? List.<String>of() : List.of(text.split("\\s+", -1))) {
            Optional<Way> found = Way.of(word);
            if (found.isPresent() && way.isEmpty()) {
                way = found;
            } else if (size.isEmpty() && OptionType.SIZE.accepts(word)) {
                size = OptionalLong.of(OptionType.parseSize(word));
            } else {
                throw new BackendException("FBR-135 Option 'fiber.slurm.memory' is '" + text
                        + "'; expected a size, one of per-node, per-cpu and none, or both, for example 2g per-cpu.");
            }
        }
        return new MemoryOption(size, way.orElse(Way.PER_NODE));
    }

    /** Returns the memory in bytes of a job that requests none. */
    long bytes() {
        return size.orElse(DEFAULT_BYTES);
    }

    /** Returns the option of {@code sbatch} for a job; empty if the site or the user's own options decide. */
    Optional<String> request(long mib, int cpus, SiteOptions site) {
        if (site.setsOneOf(REQUESTS)) {
            return Optional.empty();
        }
        return switch (way) {
            case PER_NODE -> Optional.of("--mem=" + mib + "M");
            case PER_CPU -> Optional.of("--mem-per-cpu=" + (mib + cpus - 1) / cpus + "M");
            case NONE -> Optional.empty();
        };
    }
}
