// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.sync;

import io.fiber.runtime.wire.ProcessPath;

/**
 * Who can hold something: a thread of a process.
 *
 * @param process where it stands in the program
 * @param thread its number in that process
 */
public record Party(ProcessPath process, long thread) {}
