// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.ProcessPath;

/**
 * A thread of a process, which can hold something.
 *
 * @param process where it stands in the program
 * @param thread its number in that process
 */
public record LockHolder(ProcessPath process, long thread) {}
