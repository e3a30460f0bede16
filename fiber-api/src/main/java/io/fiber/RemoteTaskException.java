// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A task, or the program of a process, threw an exception in another process (FBR-401).
 *
 * <p>The original exception is the {@linkplain #getCause() cause}, with the stack trace of the place where it was thrown.
 * What cannot be serialized is replaced piece by piece: a field of it is null; an exception, be it the original or one of
 * its causes, becomes one of its nearest superclass in the JDK, with its class in the message. The same happens beyond 16 MiB
 * (or a sixteenth of the heap, if that is less); beyond 10,000 exceptions, further ones are left out. The text of the stack
 * trace is cut at 65,536 characters. If nothing could be brought
 * here, the cause is null and the message ends with the remote stack trace as text. Type and text of the trace are always
 * there.
 */
public final class RemoteTaskException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final String remoteType;
    private final String remoteStackTrace;

    /**
     * Creates an exception. The runtime does this.
     *
     * @param message what threw what, for example {@code "Task 7 of pool 'sweep' (call 3, com.acme.Model::score) on worker
     *     'p1-sweep-3' (host n17) threw java.io.IOException: disk full"}
     * @param remoteType name of the class of what was thrown
     * @param remoteStackTrace what {@link Throwable#printStackTrace()} printed there
     * @param original what was thrown, or null when it could not be brought here
     */
    public RemoteTaskException(
            String message, String remoteType, String remoteStackTrace, @Nullable Throwable original) {
        super("FBR-401", original == null ? message + "\nRemote stack trace: " + remoteStackTrace : message, original);
        this.remoteType = requireNonNull(remoteType, "remoteType");
        this.remoteStackTrace = requireNonNull(remoteStackTrace, "remoteStackTrace");
    }

    /** Returns the name of the class of the exception that the task threw. */
    public String remoteType() {
        return remoteType;
    }

    /** Returns the stack trace as it was printed in the other process, causes included. */
    public String remoteStackTrace() {
        return remoteStackTrace;
    }

    /** Returns the exception that the task threw or what stands for it, or null when nothing could be brought here. */
    @Override
    public synchronized @Nullable Throwable getCause() {
        return super.getCause();
    }
}
