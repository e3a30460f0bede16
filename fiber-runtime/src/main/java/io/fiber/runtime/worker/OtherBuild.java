// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

/** Says that a worker and its master are of different builds of Fiber, which no other start of the worker changes. */
public final class OtherBuild {

    private OtherBuild() {}

    /** Returns what a worker says whose links have other frames: the first longer one would end its connection. */
    public static String byFrames(String transport, int ownLength, int masterLength) {
        return inWords("its transport '" + transport + "' has frames of up to " + ownLength
                + " bytes, the master's of up to " + masterLength);
    }

    /** Returns what a worker says that speaks another version of the protocol. */
    static String byProtocol(int ownVersion, int masterVersion) {
        return inWords("it speaks version " + ownVersion + " of Fiber's protocol, the master version " + masterVersion);
    }

    private static String inWords(String difference) {
        return "FBR-316 This worker is of another build of Fiber than its master: " + difference
                + ". It ends. Have workers start from the jars that the program has: an image, a module or a directory"
                + " may hold older or newer ones of Fiber or of its transport.";
    }
}
