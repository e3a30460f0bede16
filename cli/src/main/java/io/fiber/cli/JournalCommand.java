// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.runtime.journal.JournalListing;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fiber journal}. */
@Command(
        name = "journal",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Shows which results a journal has.",
        description = {
            "",
            "A journal is a file in which a program records results, so that its next run goes on from there"
                    + " (CallOptions.journal). Shows each call with the number of its results, and when the last run"
                    + " began it that recorded one. A program may be writing the file.",
            ""
        },
        footerHeading = "%nExample:%n",
        footer = {"  fiber journal sweep.journal"})
final class JournalCommand implements Callable<Integer> {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneId.systemDefault());

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The journal.")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @Override
    public Integer call() {
        JournalListing listing = JournalListing.read(file);
        PrintWriter out = spec.commandLine().getOut();
        out.printf("%-16s  %-25s  %s%n", "BEGUN", "RESULTS", "CALL");
        listing.calls()
                .forEach(call -> out.printf(
                        "%-16s  %-25s  %s%n", TIME.format(call.begun()), results(call), call.function() + which(call)));
        out.println(listing.bytes() + " bytes"
                + (listing.unfinishedBytes() == 0
                        ? ""
                        : ", of which the last " + listing.unfinishedBytes() + " are not a whole record"));
        return 0;
    }

    private static String results(JournalListing.Call call) {
        return call.results()
                + (call.total().isPresent() ? " of " + call.total().getAsLong() : "");
    }

    private static String which(JournalListing.Call call) {
        return call.number() == 0 ? ", single tasks" : call.number() == 1 ? "" : ", call " + call.number();
    }
}
