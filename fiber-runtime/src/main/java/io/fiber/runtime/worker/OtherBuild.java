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
                + " bytes, and that of the master has frames of up to " + masterLength);
    }

    /** Returns the error message for a worker that speaks another version of the protocol. */
    static String byProtocol(int ownVersion, int masterVersion) {
        return inWords("it speaks version " + ownVersion + " of Fiber's protocol, and the master speaks version "
                + masterVersion);
    }

    private static String inWords(String difference) {
        return "FBR-316 This worker has another build of Fiber than its master: " + difference
                + ". The worker ends. Start workers from the same jars as the program: an image, a module or a"
                + " directory may contain another version of Fiber or of its transport.";
    }
}
