// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.classloading;

import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * The parts of a class that are sent. Immutable, because its arrays are never changed.
 *
 * @param classFile the class file
 * @param variables the encoded values of its variables, if it is a class of a JShell session; otherwise empty
 */
@SuppressWarnings("ArrayRecordComponent") // compared only by isSameAs
record ClassContent(byte[] classFile, byte[] variables) {

    void writeTo(PayloadOutput out) {
        out.writeInt(classFile.length);
        out.write(classFile, 0, classFile.length);
        out.writeInt(variables.length);
        out.write(variables, 0, variables.length);
    }

    static ClassContent readFrom(PayloadInput in) throws IOException {
        byte[] classFile = in.readExactly(in.readInt());
        return new ClassContent(classFile, in.readExactly(in.readInt()));
    }

    boolean isSameAs(ClassContent other) {
        return Arrays.equals(classFile, other.classFile) && Arrays.equals(variables, other.variables);
    }
}
