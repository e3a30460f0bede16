// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

/** Error messages for a worker of another build of Fiber than its master. Restarting the worker does not help. */
public final class OtherBuild {

    private OtherBuild() {}

    /**
     * Returns the error message for a worker whose frame length differs from the master's; the first longer frame would
     * break the connection.
     */
    public static String byFrames(String transport, int ownLength, int masterLength) {
        return inWords("its transport '" + transport + "' has frames of up to " + ownLength
                + " bytes, the master's of up to " + masterLength);
    }

    /** Returns the error message for a worker that speaks another version of the protocol. */
    static String byProtocol(int ownVersion, int masterVersion) {
        return inWords("it speaks version " + ownVersion + " of Fiber's protocol, the master version " + masterVersion);
    }

    private static String inWords(String difference) {
        return "FBR-316 This worker is of another build of Fiber than its master: " + difference
                + ". It ends. Have workers start from the jars that the program has: an image, a module or a directory"
                + " may hold older or newer ones of Fiber or of its transport.";
    }
}
