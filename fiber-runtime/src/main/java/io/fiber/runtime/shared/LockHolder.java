// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.ProcessPath;

/** A thread of a process, by its number there; it can hold something. */
public record LockHolder(ProcessPath process, long thread) {}
