// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import java.util.List;

/**
 * What the code of one method does, as far as it matters to its needs. Boxing is no call.
 *
 * @param calls the methods that it calls directly, in the order of the code
 * @param isPlain whether it does nothing beside calling and computing arguments: it branches nowhere, creates nothing, and
 *     stores nothing
 * @param line its first line in the source file; 0 when the class file does not say
 */
record MethodBody(List<Call> calls, boolean isPlain, int line) {

    /**
     * A method that is called.
     *
     * @param owner the class that the code names, with dots
     * @param descriptor types of parameters and result, as class files have them
     */
    record Call(String owner, String name, String descriptor) {}
}
