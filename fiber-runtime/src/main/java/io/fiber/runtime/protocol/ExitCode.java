// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import java.util.Arrays;

/** The exit codes of a worker that decides to end; a program's own code is passed on unchanged. */
public enum ExitCode {
    /** The worker has done its work. */
    DONE(0),
    /** The program threw an exception. */
    PROGRAM_FAILED(1),
    /** Fiber itself failed. */
    INTERNAL(70),
    /** The initializer threw an exception. */
    INITIALIZER_FAILED(71),
    /** The master is gone, or was silent for longer than the lease. */
    MASTER_LOST(75),
    /** The master speaks another version of the protocol, or has another frame length. */
    OTHER_BUILD(76),
    /** The master did not prove its identity, or rejected this worker's proof. */
    REFUSED(77),
    /** There was no bootstrap, or it could not be read. */
    BAD_BOOTSTRAP(78),
    /** The JVM was ending, and its shutdown hooks did not end in time: the same code as after a kill. */
    HALTED(137);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    /** Returns the number for the operating system. */
    public int code() {
        return code;
    }

    /** Returns whether a worker has ended with this code by a decision of Fiber, not of the task or the program. */
    public static boolean isOfFiber(int code) {
        return Arrays.stream(values())
                .filter(each -> each != DONE && each != PROGRAM_FAILED)
                .anyMatch(each -> each.code == code);
    }
}
