// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import io.fiber.runtime.protocol.ProcessPath;

/** A user of a machine: a thread of a process, by its number there. It holds what it locked or took. */
public record Party(ProcessPath process, long thread) {}
