// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.classloading;

import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** What of a class travels. Immutable, because its arrays are never changed; equal when the bytes are. */
final class ClassContent {

    static final int HASH_BYTES = 32;

    private final byte[] classFile;
    private final byte[] variables;

    /**
     * Creates a content.
     *
     * @param classFile the class file, kept
     * @param variables the encoded values of its variables, when it is one of a JShell session, else empty; kept
     */
    ClassContent(byte[] classFile, byte[] variables) {
        this.classFile = classFile;
        this.variables = variables;
    }

    byte[] classFile() {
        return classFile;
    }

    byte[] variables() {
        return variables;
    }

    /** Returns the SHA-256 hash of all of it. */
    byte[] hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(classFile);
            return digest.digest(variables);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256.", e);
        }
    }

    void writeTo(PayloadOutput out) {
        out.writeInt(classFile.length);
        out.write(classFile, 0, classFile.length);
        out.writeInt(variables.length);
        out.write(variables, 0, variables.length);
    }

    static ClassContent readFrom(PayloadInput in) throws IOException {
        byte[] classFile = in.readExactly(checked(in.readInt(), in));
        return new ClassContent(classFile, in.readExactly(checked(in.readInt(), in)));
    }

    private static int checked(int length, PayloadInput in) throws IOException {
        if (length < 0 || length > in.remaining()) {
            throw new IOException(
                    "A class of " + length + " bytes is announced, and " + in.remaining() + " are there.");
        }
        return length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClassContent content
                && Arrays.equals(classFile, content.classFile)
                && Arrays.equals(variables, content.variables);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(classFile) + Arrays.hashCode(variables);
    }

    @Override
    public String toString() {
        return "Content[" + classFile.length + " bytes, variables " + variables.length + " bytes]";
    }
}
