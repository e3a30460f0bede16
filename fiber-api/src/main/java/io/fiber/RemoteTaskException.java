// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a task or the program of a process threw an exception in another process (FBR-401).
 *
 * <p>The original exception is the {@linkplain #getCause() cause}, with the stack trace from where it was thrown. Parts
 * that cannot be serialized are replaced one by one. A field becomes null. An exception in the chain of causes becomes
 * one of its nearest superclass in the JDK, with the original class in the message. The same happens to parts beyond 16
 * MiB, or a sixteenth of the heap if that is less. Beyond 10,000 exceptions, further ones are left out. The text of the
 * stack trace is cut at 65,536 characters. If nothing could be transferred,
 * the cause is null and the message ends with the remote stack trace as text. The type and the text of the trace are
 * always available.
 */
public final class RemoteTaskException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final String remoteType;
    private final String remoteStackTrace;

    /**
     * Creates an exception. The runtime does this.
     *
     * @param message what threw what, for example {@code "Task 7 of pool 'sweep' (call 3, com.acme.Model::score) on
     *     worker 'p1-sweep-3' (host n17) threw java.io.IOException: disk full"}
     * @param remoteType class name of what was thrown
     * @param remoteStackTrace what {@link Throwable#printStackTrace()} printed there
     * @param original what was thrown, or null if it could not be transferred
     */
    public RemoteTaskException(
            String message, String remoteType, String remoteStackTrace, @Nullable Throwable original) {
        super("FBR-401", original == null ? message + "\nRemote stack trace: " + remoteStackTrace : message, original);
        this.remoteType = requireNonNull(remoteType, "remoteType");
        this.remoteStackTrace = requireNonNull(remoteStackTrace, "remoteStackTrace");
    }

    /** Returns the class name of the exception that the task threw. */
    public String remoteType() {
        return remoteType;
    }

    /** Returns the stack trace as printed in the other process, including causes. */
    public String remoteStackTrace() {
        return remoteStackTrace;
    }

    /** Returns the exception that the task threw or its replacement, or null if nothing could be transferred. */
    @Override
    public synchronized @Nullable Throwable getCause() {
        return super.getCause();
    }
}
