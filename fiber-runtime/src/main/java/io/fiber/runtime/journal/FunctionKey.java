// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.journal;

import io.fiber.runtime.serialization.functions.ClassStamp;
import java.util.List;

/**
 * What makes a function of one run the same as one of an earlier run.
 *
 * @param identity a hexadecimal SHA-256 of its class, method and captured values, without its code
 * @param name its name for errors
 * @param code its code: the classes that contain it, in their present version
 */
public record FunctionKey(String identity, String name, List<ClassStamp> code) {}
