// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.CurrentProcess;
import io.fiber.spi.Environment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a process knows of itself. */
record ThisProcess(String name, String id, Optional<String> parent, List<String> gpus) implements CurrentProcess {

    private static final Predicate<String> GPU =
            Pattern.compile("[0-9]+|(GPU|MIG)-.+").asMatchPredicate();

    /** Returns the GPUs that the environment names. A list ends at the first word that names none, such as -1. */
    static List<String> gpus(Environment environment) {
        return Stream.of("CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES")
                .flatMap(variable -> environment.variable(variable).stream())
                .findFirst()
                .map(names -> Arrays.stream(names.split(",", -1))
                        .map(String::strip)
                        .takeWhile(GPU)
                        .toList())
                .orElse(List.of());
    }
}
