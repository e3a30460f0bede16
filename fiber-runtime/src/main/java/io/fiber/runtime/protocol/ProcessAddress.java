// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

/**
 * Which process of which program.
 *
 * @param program the session id of the root
 * @param path where the process stands in the program's tree
 */
public record ProcessAddress(String program, ProcessPath path) {}
