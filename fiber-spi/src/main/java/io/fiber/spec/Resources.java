// SPDX-License-Identifier: Apache-2.0
package io.fiber.spec;

import io.fiber.spi.OptionType;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What one process needs of its machine. The backend's default applies to everything that is not specified.
 *
 * <pre>{@code
 * Resources.gpus(1)
 * Resources.cpus(2).withMemory("4g").withGpus(1)
 * }</pre>
 *
 * Immutable and thread-safe.
 */
public final class Resources implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final Resources UNSPECIFIED = new Resources(OptionalDouble.empty(), OptionalLong.empty(), 0);
    private static final long LEAST_MEMORY_BYTES = 1L << 20;

    private final transient OptionalDouble cpus;
    private final transient OptionalLong memoryBytes;
    private final int gpus;

    private Resources(OptionalDouble cpus, OptionalLong memoryBytes, int gpus) {
        this.cpus = cpus;
        this.memoryBytes = memoryBytes;
        this.gpus = gpus;
    }

    /** Returns resources with nothing specified. */
    public static Resources unspecified() {
        return UNSPECIFIED;
    }

    /**
     * Returns resources with this many processors.
     *
     * @param cpus may be a fraction ({@code 0.5}); greater than 0
     * @throws IllegalArgumentException (FBR-305) if it is not
     */
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

    /**
     * Returns resources of this many GPUs.
     *
     * @param count 0 or more
     * @throws IllegalArgumentException (FBR-305) if it is less than 0
     */
    public static Resources gpus(int count) {
        return UNSPECIFIED.withGpus(count);
    }

    /**
     * Returns a copy that needs this many processors.
     *
     * @param count may be a fraction ({@code 0.5}); greater than 0
     * @throws IllegalArgumentException (FBR-305) if it is not
     */
    public Resources withCpus(double count) {
        if (!(count > 0 && count < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "FBR-305 cpus is " + count + "; expected a number above 0, for example 2 or 0.5.");
        }
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

    /**
     * Returns a copy that needs this many bytes of memory.
     *
     * @param bytes at least 1 MiB
     * @throws IllegalArgumentException (FBR-305) if it is less
     */
    public Resources withMemoryBytes(long bytes) {
        if (bytes < LEAST_MEMORY_BYTES) {
            throw new IllegalArgumentException(
                    "FBR-305 memory is " + bytes + " bytes; expected at least 1 MiB, for example memory(\"512m\").");
        }
        return new Resources(cpus, OptionalLong.of(bytes), gpus);
    }

    /**
     * Returns a copy that needs this many GPUs.
     *
     * @param count 0 or more
     * @throws IllegalArgumentException (FBR-305) if it is less than 0
     */
    public Resources withGpus(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("FBR-305 gpus is " + count + "; expected 0 or more.");
        }
        return new Resources(cpus, memoryBytes, count);
    }

    /** Returns the number of processors, which may be a fraction; empty if it is not specified. */
    public OptionalDouble cpus() {
        return cpus;
    }

    /** Returns the memory in bytes; empty if it is not specified. */
    public OptionalLong memoryBytes() {
        return memoryBytes;
    }

    /** Returns the number of GPUs; 0 if none is needed. */
    public int gpus() {
        return gpus;
    }

    /** Returns whether nothing is specified. */
    public boolean isUnspecified() {
        return cpus.isEmpty() && memoryBytes.isEmpty() && gpus == 0;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Resources resources
                && cpus.equals(resources.cpus)
                && memoryBytes.equals(resources.memoryBytes)
                && gpus == resources.gpus;
    }

    @Override
    public int hashCode() {
        return Objects.hash(cpus, memoryBytes, gpus);
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
