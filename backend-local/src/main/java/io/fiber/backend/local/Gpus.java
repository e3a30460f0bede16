// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The GPUs that jobs of this host may use.
 *
 * @param names numbers or UUIDs, in the order in which they are given to jobs
 * @param variable the environment variable in which a job finds its own
 * @param source where the names are from, for people to read
 */
record Gpus(List<String> names, String variable, String source) {

    private static final String OPTION = "fiber.local.gpus";

    static final String CUDA = "CUDA_VISIBLE_DEVICES";
    static final String ROCR = "ROCR_VISIBLE_DEVICES";

    /** Counts within the devices of {@link #ROCR}. HIP takes {@link #CUDA} for the same. */
    private static final String HIP = "HIP_VISIBLE_DEVICES";

    Gpus {
        names = List.copyOf(names);
    }

    /**
     * Finds the GPUs: those of the option, those that this process may use, or those that a driver shows.
     *
     * @throws BackendException FBR-129 if the option has an invalid value
     */
    static Gpus of(Options options, Environment environment, GpuDrivers drivers) {
        List<String> named = options.list(LocalBackendProvider.GPUS.name());
        if (!named.isEmpty()) {
            named.forEach(name -> require(isName(name), name, "numbers or UUIDs (GPU-..., MIG-...)"));
            Set<String> seen = new HashSet<>();
            named.forEach(name -> require(seen.add(name), name, "each GPU once"));
            return new Gpus(named, drivers.variable(), OPTION);
        }
        return visible(environment, drivers).orElseGet(drivers::gpus);
    }

    /** Finds the GPUs within milliseconds, for people to read: without checks, and without parts of GPUs. */
    static Gpus quickly(Environment environment, GpuDrivers drivers) {
        return environment
                .property(OPTION)
                .map(text -> new Gpus(Arrays.asList(text.split(" *, *")), drivers.variable(), OPTION))
                .or(() -> visible(environment, drivers))
                .orElseGet(drivers::shown);
    }

    /** Returns the GPUs that this process may use; empty if it may use all. An empty variable hides all. */
    private static Optional<Gpus> visible(Environment environment, GpuDrivers drivers) {
        boolean isRocm = drivers.variable().equals(ROCR);
        List<String> variables = isRocm ? List.of(ROCR, HIP, CUDA) : List.of(CUDA, ROCR);
        return variables.stream()
                .filter(environment::isSet)
                .findFirst()
                .map(source -> new Gpus(
                        named(environment.variable(source).orElse("")),
                        isRocm || source.equals(ROCR) ? ROCR : CUDA,
                        source));
    }

    private static void require(boolean isRight, String name, String expected) {
        if (!isRight) {
            throw new BackendException("FBR-129 The option fiber.local.gpus has '" + name + "'; expected " + expected
                    + ", separated by commas, for example 0,1.");
        }
    }

    /** Returns the names in front of the first invalid one, which ends the list: {@code -1} or another word hides all. */
    private static List<String> named(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .takeWhile(Gpus::isName)
                .distinct()
                .toList();
    }

    /** Checked by hand, because programs look for GPUs when they start, and a first regular expression takes 5 ms. */
    private static boolean isName(String text) {
        boolean isUuid = text.startsWith("GPU-") || text.startsWith("MIG-");
        return !text.isEmpty() && (isUuid || text.chars().allMatch(c -> c >= '0' && c <= '9'));
    }

    /** Returns the variables that would hide GPUs of a job from it, because they count within its own. */
    List<String> misleadingVariables() {
        return variable.equals(ROCR) ? List.of(HIP, CUDA, "GPU_DEVICE_ORDINAL") : List.of();
    }

    /** Returns the names and their source, for people to read. */
    String described() {
        return (names.isEmpty() ? "no GPU" : "GPUs " + String.join(", ", names)) + " (" + source + ")";
    }
}
