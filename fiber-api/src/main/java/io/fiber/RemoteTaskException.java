// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A task, or the program of a process, threw an exception in another process (FBR-401).
 *
 * <p>When the original exception could be brought here it is the {@linkplain #getCause() cause}, with the stack trace of
 * the place where it was thrown. When it could not (its class is missing here, or it is not serializable), the cause is
 * null and the message ends with the remote stack trace as text. Type and text of the trace are always there.
 */
public final class RemoteTaskException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final String remoteType;
    private final String remoteStackTrace;

    /**
     * Creates an exception. The runtime does this.
     *
     * @param where in words, which task in which process, for example {@code "Task 7 of pool 'sweep' (call 3,
     *     com.acme.Model::score) on worker 'p1-sweep-3' (host n17)"}
     * @param remote what was thrown
     */
    public RemoteTaskException(String where, Remote remote) {
        super("FBR-401", message(where, remote), remote.original().orElse(null));
        this.remoteType = remote.type();
        this.remoteStackTrace = remote.stackTrace();
    }

    /**
     * What was thrown in the other process.
     *
     * @param type name of the exception's class
     * @param message its message, empty when it had none
     * @param stackTrace what {@link Throwable#printStackTrace()} printed there
     * @param original the exception, when it could be brought here
     */
    public record Remote(String type, Optional<String> message, String stackTrace, Optional<Throwable> original) {

        /** Checks that nothing is null. */
        public Remote {
            requireNonNull(type, "type");
            requireNonNull(message, "message");
            requireNonNull(stackTrace, "stackTrace");
            requireNonNull(original, "original");
        }
    }

    /** Returns the name of the class of the exception that the task threw. */
    public String remoteType() {
        return remoteType;
    }

    /** Returns the stack trace as it was printed in the other process, causes included. */
    public String remoteStackTrace() {
        return remoteStackTrace;
    }

    /** Returns the exception that the task threw, or null when it could not be brought here. */
    @Override
    public synchronized @Nullable Throwable getCause() {
        return super.getCause();
    }

    private static String message(String where, Remote remote) {
        requireNonNull(where, "where");
        String thrown = where + " threw " + remote.type()
                + remote.message().map(text -> ": " + text).orElse("");
        return remote.original().isPresent() ? thrown : thrown + "\nRemote stack trace: " + remote.stackTrace();
    }
}
