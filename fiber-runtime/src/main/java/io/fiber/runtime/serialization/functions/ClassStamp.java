// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.List;

/**
 * Distinguishes a class from another one with the same name.
 *
 * @param name the name of the class
 * @param crc the CRC-32 of its class file, which jars have in their directory
 */
public record ClassStamp(String name, int crc) {

    /** The most stamps of a function. A function has code of one or two classes; a composed one, of more. */
    static final int MOST = 64;

    public static void writeAll(List<ClassStamp> stamps, PayloadOutput out) {
        out.write(stamps.size());
        for (ClassStamp stamp : stamps) {
            out.writeText(stamp.name());
            out.writeInt(stamp.crc());
        }
    }

    public static List<ClassStamp> readAll(PayloadInput in) throws IOException {
        int count = in.readByte();
        if (count > MOST) {
            throw new StreamCorruptedException("a function that names " + count + " classes");
        }
        List<ClassStamp> stamps = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            stamps.add(new ClassStamp(in.readText(), in.readInt()));
        }
        return stamps;
    }
}
