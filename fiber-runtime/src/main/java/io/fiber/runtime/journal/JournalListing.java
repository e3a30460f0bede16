// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.journal;

import io.fiber.FiberException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a journal contains. A program may be writing it.
 *
 * @param bytes the length of the file
 * @param unfinishedBytes how many bytes at its end are not whole records: a program is writing them, or was ended
 */
public record JournalListing(List<Call> calls, long bytes, long unfinishedBytes) {

    /**
     * A call, or all tasks of a function that were submitted alone.
     *
     * @param function the name of the function
     * @param number the number of the call among those of its function, from 1 on; 0 for tasks that were submitted alone
     * @param results how many results are recorded
     * @param total how many items the call has, if that was known
     * @param begun when the last run began it that recorded a result of it
     */
    public record Call(String function, int number, long results, OptionalLong total, Instant begun) {}

    /**
     * Reads a journal.
     *
     * @throws FiberException FBR-581 or 582 if it is damaged or no journal, FBR-585 if it cannot be read
     */
    public static JournalListing read(Path path) {
        JournalIndex index = new JournalIndex();
        try {
            long bytes = Files.size(path);
            long unfinishedBytes = JournalFile.read(path, index);
            List<Call> calls = new ArrayList<>();
            for (JournalIndex.Function function : index.functions()) {
                function.calls.forEach((number, call) ->
                        calls.add(new Call(function.name, number, call.results, call.total, call.begun)));
            }
            return new JournalListing(calls, bytes, unfinishedBytes);
        } catch (NoSuchFileException e) {
            throw new FiberException("FBR-585", "There is no journal '" + path + "'.", e);
        } catch (IOException e) {
            throw new FiberException("FBR-585", "The journal '" + path + "' cannot be read: " + e + ".", e);
        }
    }
}
