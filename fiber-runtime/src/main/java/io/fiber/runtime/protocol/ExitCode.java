// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

/** The exit codes of a worker that ends by a decision of its own; a program's own code is passed on as it is. */
public enum ExitCode {
    /** It did what it was started for. */
    DONE(0),
    /** Its program threw an exception. */
    PROGRAM_FAILED(1),
    /** A fault of Fiber itself. */
    INTERNAL(70),
    /** Its initializer threw an exception. */
    INITIALIZER_FAILED(71),
    /** Its master is gone, or was silent for longer than the lease. */
    MASTER_LOST(75),
    /** Its master speaks another version of the protocol, or has other frames. */
    OTHER_BUILD(76),
    /** Its master did not prove itself, or refused its proof. */
    REFUSED(77),
    /** It was given no bootstrap, or one that it cannot read. */
    BAD_BOOTSTRAP(78),
    /** Its JVM had begun to end, and what runs at the end did not end in time: as if killed. */
    HALTED(137);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    /** Returns the number that the operating system sees. */
    public int code() {
        return code;
    }
}
