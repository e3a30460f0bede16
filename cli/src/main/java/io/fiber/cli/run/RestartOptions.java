// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.FiberException;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option for how many times a program is started again. */
public final class RestartOptions {

    @Option(
            names = "--restarts",
            paramLabel = "N",
            defaultValue = "0",
            converter = Count.class,
            description =
                    "Start the program again, up to N times, if the time limit, a preemption, the loss of its node"
                            + " or a signal ends it, or if it exits with 75. With a journal, it goes on where it was. Default:"
                            + " ${DEFAULT-VALUE}.")
    private int most;

    /** Creates options that start nothing again. */
    public RestartOptions() {}

    /** Reads a number of restarts. */
    static final class Count implements ITypeConverter<Integer> {

        @Override
        public Integer convert(String text) {
            try {
                int count = Integer.parseInt(text);
                if (count >= 0) {
                    return count;
                }
            } catch (NumberFormatException e) {
                // The message below says it.
            }
            throw new TypeConversionException(
                    "'" + text + "'; expected a whole number between 0 and " + Integer.MAX_VALUE);
        }
    }

    /** Returns whether the program may be started again. */
    public boolean isAskedFor() {
        return most > 0;
    }

    /** Returns the restarts of a run whose jobs this command submits. */
    public Restarts byThisCommand(Attached attached, RunRecord record) {
        return new Restarts(most, attached, record);
    }

    /**
     * Returns a submission whose platform starts the program again.
     *
     * @throws FiberException FBR-571 if the platform cannot do so
     */
    public Attached.Named byPlatform(Attached.Named named, BackendProvider provider) {
        if (isAskedFor() && !provider.capabilities().contains(Capability.RESTARTS)) {
            throw new FiberException(
                    "FBR-571",
                    "--detach hands the run over to the backend '" + provider.name()
                            + "', which cannot start a program again (--restarts " + most
                            + "). Leave --detach out: this command then stays and starts the program again.");
        }
        return new Attached.Named(named.spec().toBuilder().restarts(most).build(), named.name());
    }
}
