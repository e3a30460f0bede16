// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.CurrentProcess;
import io.fiber.spi.Environment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a process knows of itself. */
record ThisProcess(String name, String id, Optional<String> parent, List<String> gpus) implements CurrentProcess {

    /** Returns the GPUs that the environment names. */
    static List<String> gpus(Environment environment) {
        return Stream.of("CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES")
                .flatMap(variable -> environment.variable(variable).stream())
                .findFirst()
                .map(names ->
                        Arrays.stream(names.split(",", -1)).map(String::strip).toList())
                .orElse(List.of());
    }
}
