// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.FiberException;
import io.fiber.spi.backend.BackendException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Prints known failures without a stack trace, because their messages are complete; any other failure is a bug and is
 * printed with one.
 */
final class KnownFailures implements IExecutionExceptionHandler {

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) throws Exception {
        if (!isKnown(failure)) {
            throw failure;
        }
        command.getErr().println("fiber: " + failure.getMessage());
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    static boolean isKnown(Throwable failure) {
        return failure instanceof FiberException || failure instanceof BackendException;
    }
}
