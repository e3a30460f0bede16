// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import io.fiber.tck.clause.ClauseFailure;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Blames an exception that a method of a transport must never throw on the clause about it, even if the exception ended the
 * test of another clause.
 */
final class StrayExceptions implements TestExecutionExceptionHandler {

    private static final String KIT = StrayExceptions.class.getPackageName() + ".";

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        Optional<StackTraceElement> called = called(thrown);
        Optional<String> clauseId = called.flatMap(method -> clauseId(method.getMethodName(), thrown));
        if (clauseId.isEmpty()) {
            throw thrown;
        }
        throw new ClauseFailure(
                clauseId.get(),
                called.get().getMethodName() + " threw " + thrown.getClass().getName() + " with the text '"
                        + thrown.getMessage() + "', at " + thrown.getStackTrace()[0] + ".",
                thrown);
    }

    /** Returns the method that the kit called; empty if the exception is the kit's own. */
    private static Optional<StackTraceElement> called(Throwable thrown) {
        boolean isVerdict = thrown instanceof AssertionError
                || thrown instanceof TestAbortedException
                || thrown instanceof VirtualMachineError;
        StackTraceElement[] frames = thrown.getStackTrace();
        for (int i = 0; i < frames.length && !isVerdict; i++) {
            if (frames[i].getClassName().startsWith(KIT)) {
                return i == 0 ? Optional.empty() : Optional.of(frames[i - 1]);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> clauseId(String method, Throwable thrown) {
        return switch (method) {
            case "doWork" -> Optional.of("TRN-312");
            case "poll", "state", "closeReason", "unwatch" -> Optional.of("TRN-212");
            // Frames of an illegal length are another clause's subject.
            case "offer" -> thrown instanceof IllegalArgumentException ? Optional.empty() : Optional.of("TRN-212");
            default -> Optional.empty();
        };
    }
}
