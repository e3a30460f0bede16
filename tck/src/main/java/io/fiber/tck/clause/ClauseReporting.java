// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.clause;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Converts whatever a clause's test throws into a {@link ClauseFailure} that can be understood without the kit's
 * source.
 */
public final class ClauseReporting implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable throwable) throws Throwable {
        throw blame(context, throwable, "");
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable throwable)
            throws Throwable {
        throw blame(context, throwable, "before the test began, while the fixture was set up: ");
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable throwable)
            throws Throwable {
        throw blame(context, throwable, "after the test, while it was cleaned up: ");
    }

    private static Throwable blame(ExtensionContext context, Throwable throwable, String when) {
        for (Throwable cause = throwable.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof ClauseFailure failure && !(throwable instanceof ClauseFailure)) {
                return failure;
            }
        }
        if (throwable instanceof ClauseFailure
                || throwable instanceof TestAbortedException
                || throwable instanceof VirtualMachineError) {
            return throwable;
        }
        String clauseId = context.getTestMethod()
                .map(method -> method.getAnnotation(Clause.class))
                .map(Clause::id)
                .orElse("no clause");
        String seen = throwable instanceof AssertionError
                ? when + String.valueOf(throwable.getMessage()).trim()
                : when + "an unexpected " + throwable.getClass().getName() + " with the text '" + throwable.getMessage()
                        + "', thrown at " + origin(throwable);
        return new ClauseFailure(clauseId, seen, throwable);
    }

    private static String origin(Throwable throwable) {
        StackTraceElement[] frames = throwable.getStackTrace();
        return frames.length == 0 ? "an unknown place" : frames[0].toString();
    }
}
