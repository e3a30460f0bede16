// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.spi.backend.Program;
import java.util.Optional;

/**
 * A program and the image in which it runs.
 *
 * @param program the program
 * @param image empty for the backend's own
 */
public record Imaged(Program program, Optional<String> image) {}
