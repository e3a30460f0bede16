// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.ProcessPath;

/**
 * Who can hold something: a thread of a process.
 *
 * @param process where it stands in the program
 * @param thread its number in that process
 */
public record LockHolder(ProcessPath process, long thread) {}
