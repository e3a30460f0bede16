// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What one process needs of its machine. The backend's default applies to everything that is not specified.
 *
 * <pre>{@code
 * Resources.gpus(1)
 * Resources.cpus(2).withMemory("4g").withGpus(1)
 * }</pre>
 *
 * @param cpus processors, which may be a fraction ({@code 0.5}); greater than 0
 * @param memoryBytes memory in bytes; at least 1 MiB
 * @param gpus whole GPUs; 0 if none is needed
 */
public record Resources(OptionalDouble cpus, OptionalLong memoryBytes, int gpus) implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final Resources UNSPECIFIED = new Resources(OptionalDouble.empty(), OptionalLong.empty(), 0);
    private static final long LEAST_MEMORY_BYTES = 1L << 20;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException (FBR-305) if a value is out of range
     */
    public Resources {
        requireNonNull(cpus, "cpus");
        requireNonNull(memoryBytes, "memoryBytes");
        if (cpus.isPresent() && !(cpus.getAsDouble() > 0 && cpus.getAsDouble() < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "FBR-305 cpus is " + cpus.getAsDouble() + "; expected a number above 0, for example 2 or 0.5.");
        }
        if (memoryBytes.isPresent() && memoryBytes.getAsLong() < LEAST_MEMORY_BYTES) {
            throw new IllegalArgumentException("FBR-305 memory is " + memoryBytes.getAsLong()
                    + " bytes; expected at least 1 MiB, for example memory(\"512m\").");
        }
        if (gpus < 0) {
            throw new IllegalArgumentException("FBR-305 gpus is " + gpus + "; expected 0 or more.");
        }
    }

    /** Returns resources with nothing specified. */
    public static Resources unspecified() {
        return UNSPECIFIED;
    }

    /** Returns resources with this many processors. */
    public static Resources cpus(double cpus) {
        return UNSPECIFIED.withCpus(cpus);
    }

    /**
     * Returns resources of this much memory, for example {@code "512m"} or {@code "4g"} (powers of 1024).
     *
     * @throws IllegalArgumentException (FBR-305) if the text is not a size, or below 1 MiB
     */
    public static Resources memory(String memory) {
        return UNSPECIFIED.withMemory(memory);
    }

    /** Returns resources of this many GPUs. */
    public static Resources gpus(int count) {
        return UNSPECIFIED.withGpus(count);
    }

    /** Returns a copy that needs this many processors. */
    public Resources withCpus(double count) {
        return new Resources(OptionalDouble.of(count), memoryBytes, gpus);
    }

    /**
     * Returns a copy that needs {@code memory}, for example {@code "512m"} or {@code "4g"} (powers of 1024).
     *
     * @throws IllegalArgumentException (FBR-305) if the text is not a size, or below 1 MiB
     */
    public Resources withMemory(String memory) {
        if (!OptionType.SIZE.accepts(memory)) {
            throw new IllegalArgumentException(
                    "FBR-305 memory is '" + memory + "'; expected " + OptionType.SIZE.expectation() + ".");
        }
        return withMemoryBytes(OptionType.parseSize(memory));
    }

    /** Returns a copy that needs this many bytes of memory. */
    public Resources withMemoryBytes(long bytes) {
        return new Resources(cpus, OptionalLong.of(bytes), gpus);
    }

    /** Returns a copy that needs this many GPUs. */
    public Resources withGpus(int count) {
        return new Resources(cpus, memoryBytes, count);
    }

    /** Returns whether nothing is specified. */
    public boolean isUnspecified() {
        return cpus.isEmpty() && memoryBytes.isEmpty() && gpus == 0;
    }

    /**
     * Returns what is specified, for people to read: {@code cpus=2.0, memoryBytes=4294967296}; or {@code nothing said}.
     */
    @Override
    public String toString() {
        List<String> said = new ArrayList<>();
        cpus.ifPresent(count -> said.add("cpus=" + count));
        memoryBytes.ifPresent(bytes -> said.add("memoryBytes=" + bytes));
        if (gpus > 0) {
            said.add("gpus=" + gpus);
        }
        return said.isEmpty() ? "nothing said" : String.join(", ", said);
    }

    @Serial
    private Object writeReplace() {
        return new Form(cpus.orElse(0), memoryBytes.orElse(0), gpus);
    }

    /** The serialized form of resources, because optionals are not serializable. */
    private record Form(double cpus, long memoryBytes, int gpus) implements Serializable {
        private static final long serialVersionUID = 1L;

        @Serial
        private Object readResolve() {
            return new Resources(
                    cpus == 0 ? OptionalDouble.empty() : OptionalDouble.of(cpus),
                    memoryBytes == 0 ? OptionalLong.empty() : OptionalLong.of(memoryBytes),
                    gpus);
        }
    }
}
