// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.ChangedCode;
import io.fiber.FiberException;
import io.fiber.runtime.platform.ProcessIdentity;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.runtime.serialization.functions.ClassStamp;
import io.fiber.spi.Options;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a journal returns after its file was closed, torn, damaged, or taken away. */
class JournalTest {

    private static final FunctionKey SCORE = key("score", 1);
    private static final int CALLS = 4;

    @TempDir
    Path tmp;

    private Path file;

    @BeforeEach
    void name() {
        file = tmp.resolve("sweep.journal");
    }

    private static FunctionKey key(String name, int code) {
        return new FunctionKey(
                "0".repeat(60) + name.hashCode(),
                "my.Model::" + name,
                List.of(new ClassStamp("my.Model", code), new ClassStamp("my.Unit", 1)));
    }

    /** An open journal, as a session has one. */
    private final class Opened implements AutoCloseable {
        private final Journals journals = new Journals(
                Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, UnaryOperator.identity())
                        .values(),
                "java",
                () -> {});
        private final Journal journal = journals.open(file);

        JournaledCall call(FunctionKey key) {
            return journal.function(key, ChangedCode.REJECT).begin(OptionalLong.of(100));
        }

        /** Records the results of consecutive items: of item i the text "result i". */
        void record(JournaledCall call, int first, int count) {
            PayloadWriter results = new PayloadWriter();
            List<ItemDigest> items = new ArrayList<>();
            List<Long> lengths = new ArrayList<>();
            for (int i = first; i < first + count; i++) {
                items.add(item(i));
                lengths.add(results.add("result " + i));
            }
            CompletableFuture<Void> done = new CompletableFuture<>();
            journal.execute(() -> {
                try {
                    call.write(first, items, lengths, results.payload().open());
                    done.complete(null);
                } catch (RuntimeException e) {
                    done.completeExceptionally(e);
                }
            });
            done.join();
        }

        @Override
        public void close() {
            journals.close();
        }
    }

    private static final class PayloadWriter {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        long add(String text) {
            bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
            return text.length();
        }

        Payload payload() {
            return Payload.of(bytes.toByteArray());
        }
    }

    private static ItemDigest item(int number) {
        return new ItemDigest(number, 7L * number);
    }

    private static Optional<String> text(Optional<Payload> result) {
        return result.map(bytes -> new String(bytes.toArray(), StandardCharsets.UTF_8));
    }

    /** Returns the results of the first call of a function, by the items' places. */
    private static Map<Integer, String> found(Opened journal, FunctionKey key) {
        JournaledCall call = journal.call(key);
        Map<Integer, String> found = new TreeMap<>();
        for (int i = 0; i < 100; i++) {
            int place = i;
            text(call.find(i, item(i))).ifPresent(result -> found.put(place, result));
        }
        return found;
    }

    private static Map<Integer, String> results(int... items) {
        Map<Integer, String> results = new TreeMap<>();
        Arrays.stream(items).forEach(i -> results.put(i, "result " + i));
        return results;
    }

    @Test
    void resultsAreFoundByPlaceAndItemInWhateverOrderTheyWereRecorded() {
        try (Opened journal = new Opened()) {
            JournaledCall call = journal.call(SCORE);
            journal.record(call, 5, 2);
            journal.record(call, 0, 3);
            journal.record(call, 4, 1);
        }
        try (Opened journal = new Opened()) {
            assertThat(found(journal, SCORE)).isEqualTo(results(0, 1, 2, 4, 5, 6));
            assertThat(found(journal, SCORE))
                    .as("a second call of the function")
                    .isEmpty();
            assertThat(found(journal, key("cost", 1))).as("another function").isEmpty();
        }
        try (Opened journal = new Opened()) {
            JournaledCall call = journal.call(SCORE);
            assertThat(call.find(0, item(1))).as("another item at this place").isEmpty();
            assertThat(call.find(5, item(1))).isEmpty();
            assertThat(text(call.find(6, item(6)))).contains("result 6");
        }
    }

    @Test
    void callsOfOneFunctionAreToldApartByTheirOrder() {
        try (Opened journal = new Opened()) {
            journal.call(SCORE);
            journal.record(journal.call(SCORE), 1, 1);
        }
        try (Opened journal = new Opened()) {
            assertThat(found(journal, SCORE)).isEmpty();
            assertThat(found(journal, SCORE)).isEqualTo(results(1));
        }
    }

    @Test
    void singleTasksAreKnownByTheirItemAndEachRecordIsTakenOnce() {
        for (int run = 0; run < 2; run++) {
            try (Opened journal = new Opened()) {
                JournaledFunction function = journal.journal.function(SCORE, ChangedCode.REJECT);
                if (run == 0) {
                    journal.record(function.singles(), 3, 1);
                    journal.record(function.singles(), 3, 1);
                } else {
                    assertThat(function.takeSingle(item(4))).isEmpty();
                    assertThat(text(function.takeSingle(item(3)))).contains("result 3");
                    assertThat(text(function.takeSingle(item(3)))).contains("result 3");
                    assertThat(function.takeSingle(item(3))).isEmpty();
                }
            }
        }
    }

    @Test
    void changedCodeIsRejectedUntilItIsAccepted() {
        try (Opened journal = new Opened()) {
            journal.record(journal.call(SCORE), 0, 1);
        }
        FunctionKey changed = key("score", 2);
        try (Opened journal = new Opened()) {
            assertThatThrownBy(() -> journal.call(changed))
                    .isInstanceOf(FiberException.class)
                    .hasMessage("FBR-583 The journal '" + file + "' (from CallOptions.journal) has results of"
                            + " my.Model::score, and the code of that function has changed since: class my.Model. To"
                            + " compute all results again, name a new file. To take the recorded results all the same,"
                            + " use journal(file, ChangedCode.ACCEPT) once.");
            assertThat(journal.journal
                            .function(changed, ChangedCode.ACCEPT)
                            .begin(OptionalLong.empty())
                            .find(0, item(0)))
                    .isPresent();
            JournaledCall next = journal.call(changed);
            journal.record(next, 1, 1);
        }
        try (Opened journal = new Opened()) {
            assertThat(found(journal, changed)).isEqualTo(results(0));
            assertThatThrownBy(() -> journal.call(SCORE)).hasMessageStartingWith("FBR-583");
        }
    }

    @Test
    void fileCutAtAnyByteOfItsLastTwoRecordsLosesTheseAlone() throws IOException {
        long beforeLastTwo = 0;
        long beforeLast = 0;
        try (Opened journal = new Opened()) {
            JournaledCall call = journal.call(SCORE);
            for (int i = 0; i < CALLS; i++) {
                beforeLastTwo = beforeLast;
                beforeLast = Files.size(file);
                journal.record(call, i, 1);
            }
            Files.copy(file, tmp.resolve("whole"));
        }
        byte[] whole = Files.readAllBytes(tmp.resolve("whole"));
        for (int length = (int) beforeLastTwo; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            try (Opened journal = new Opened()) {
                assertThat(found(journal, SCORE))
                        .as("cut to %s of %s bytes", length, whole.length)
                        .isEqualTo(length < beforeLast ? results(0, 1) : results(0, 1, 2));
                journal.record(journal.call(SCORE), 9, 1);
            }
            try (Opened journal = new Opened()) {
                assertThat(found(journal, SCORE)).as("goes on behind the cut").containsEntry(0, "result 0");
                assertThat(found(journal, SCORE)).isEqualTo(results(9));
            }
        }
    }

    @Test
    void headerCutAnywhereIsAnEmptyJournal() throws IOException {
        try (Opened journal = new Opened()) {
            assertThat(found(journal, SCORE)).isEmpty();
        }
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length <= whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            try (Opened journal = new Opened()) {
                assertThat(found(journal, SCORE)).isEmpty();
            }
        }
    }

    @Test
    void flippedBitIsAnErrorOrCostsRecordsButNeverGivesAWrongResult() throws IOException {
        try (Opened journal = new Opened()) {
            JournaledCall call = journal.call(SCORE);
            journal.record(call, 0, 3);
            journal.record(call, 3, 1);
        }
        byte[] whole = Files.readAllBytes(file);
        int errors = 0;
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << at % 8);
            Files.write(file, damaged);
            try (Opened journal = new Opened()) {
                assertThat(results(0, 1, 2, 3)).as("byte %s", at).containsAllEntriesOf(found(journal, SCORE));
            } catch (FiberException e) {
                errors++;
                assertThat(e.code()).as("byte %s", at).isIn("FBR-581", "FBR-582");
                assertThat(Files.readAllBytes(file)).as("the file is as it was").isEqualTo(damaged);
            }
        }
        int bytesOfLastMark = 29;
        assertThat(errors).as("flips in what was synced").isEqualTo(whole.length - bytesOfLastMark);
    }

    @Test
    void damageInWhatWasSyncedIsAnErrorThatNamesTheByteAndTheWayOn() throws IOException {
        long beforeSecond;
        try (Opened journal = new Opened()) {
            JournaledCall call = journal.call(SCORE);
            journal.record(call, 0, 1);
            beforeSecond = Files.size(file);
            journal.record(call, 1, 1);
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) beforeSecond + 30] ^= 1;
        Files.write(file, bytes);

        assertThatThrownBy(Opened::new)
                .isInstanceOf(FiberException.class)
                .hasMessage("FBR-581 The journal '" + file + "' (from CallOptions.journal) is damaged from byte "
                        + beforeSecond + " on, although this part had been written to the disk. Restore the file from a"
                        + " copy, or keep the results before the damage: truncate -s " + beforeSecond + " '" + file
                        + "'. Tasks whose results are cut off run again.");

        Files.write(file, Arrays.copyOf(bytes, (int) beforeSecond));
        try (Opened journal = new Opened()) {
            assertThat(found(journal, SCORE)).isEqualTo(results(0));
        }
    }

    /** What a host that loses its power leaves of data that were not synced: pages of zeros, and whole ones behind them. */
    @Test
    void zerosInWhatWasNotSyncedAreCutOffWithAllBehindThem() throws IOException {
        int beforeSecond;
        byte[] unsynced;
        try (Opened journal = new Opened()) {
            JournaledCall call = journal.call(SCORE);
            journal.record(call, 0, 1);
            beforeSecond = (int) Files.size(file);
            journal.record(call, 1, 1);
            int beforeThird = (int) Files.size(file);
            journal.record(call, 2, 1);
            unsynced = Files.readAllBytes(file);
            Arrays.fill(unsynced, beforeSecond, beforeThird, (byte) 0);
        }
        Files.write(file, unsynced);
        try (Opened journal = new Opened()) {
            assertThat(found(journal, SCORE)).isEqualTo(results(0));
        }
    }

    @Test
    void otherFilesAreRejectedAndStayAsTheyAre() throws IOException {
        for (String content : List.of("a,b\n1,2\n", "FIBERS", "x")) {
            Files.writeString(file, content);
            assertThatThrownBy(Opened::new)
                    .hasMessage(
                            "FBR-582 The file '" + file + "' (from CallOptions.journal) is not a journal of Fiber,"
                                    + " and was not changed. Name a new file, or one that an earlier run of this program wrote.");
            assertThat(file).hasContent(content);
        }
    }

    @Test
    void missingDirectoryIsNamed() {
        file = tmp.resolve("none/sweep.journal");
        assertThatThrownBy(Opened::new)
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith(
                        "FBR-585 The journal '" + file + "' (from CallOptions.journal) cannot be opened: ")
                .hasMessageEndingWith("Name a file in an existing directory that this user may write.");
    }

    @Test
    void secondWriterIsRejectedWhileTheFirstLives() throws IOException {
        Path link = Files.createSymbolicLink(tmp.resolve("other name"), file);
        try (Opened first = new Opened()) {
            assertThatThrownBy(Opened::new)
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith("FBR-580 The journal '" + file
                            + "' (from CallOptions.journal) is used by process "
                            + ProcessHandle.current().pid() + " of host ")
                    .hasMessageEndingWith(" Only one session at a time may write a journal. Wait until that one has"
                            + " ended, or name another file.");
            file = link;
            assertThatThrownBy(Opened::new).hasMessageStartingWith("FBR-580");
            first.record(first.call(SCORE), 0, 1);
        }
        try (Opened next = new Opened()) {
            assertThat(found(next, SCORE)).isEqualTo(results(0));
        }
        assertThat(tmp.resolve("sweep.journal.lock")).doesNotExist();
    }

    @Test
    void lockOfADeadProcessIsTakenOver() throws IOException {
        try (Opened journal = new Opened()) {
            journal.record(journal.call(SCORE), 0, 1);
        }
        Files.write(tmp.resolve("sweep.journal.lock"), lockOfTheDead());
        try (Opened journal = new Opened()) {
            assertThat(found(journal, SCORE)).isEqualTo(results(0));
        }
    }

    /** The same pid with another start is another process. */
    private static List<String> lockOfTheDead() {
        List<String> lines = ProcessIdentity.current().lines();
        return List.of(lines.get(0), lines.get(1) + "0", lines.get(2), "x");
    }

    @Test
    void functionsThatRecordNothingTakeNoNumberFromOthers() {
        FunctionKey cost = key("cost", 1);
        try (Opened journal = new Opened()) {
            journal.call(SCORE);
            journal.record(journal.call(cost), 0, 1);
        }
        try (Opened journal = new Opened()) {
            JournaledCall call = journal.call(SCORE);
            journal.record(call, 5, 1);
        }
        try (Opened journal = new Opened()) {
            assertThat(found(journal, cost)).isEqualTo(results(0));
            assertThat(found(journal, SCORE)).isEqualTo(results(5));
        }
    }

    @Test
    void interruptedThreadReadsAndHarmsNothing() {
        try (Opened journal = new Opened()) {
            journal.record(journal.call(SCORE), 0, 1);
        }
        try (Opened journal = new Opened()) {
            JournaledCall call = journal.call(SCORE);
            Thread.currentThread().interrupt();
            try {
                assertThat(text(call.find(0, item(0)))).contains("result 0");
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
            journal.record(call, 1, 1);
        }
        try (Opened journal = new Opened()) {
            assertThat(found(journal, SCORE)).isEqualTo(results(0, 1));
        }
    }

    /** As after a holder that did not answer: it must not write at its old place. */
    @Test
    void holderOfAFileThatAnotherOneHasWrittenWritesNothing() throws IOException {
        try (Opened journal = new Opened()) {
            JournaledCall call = journal.call(SCORE);
            journal.record(call, 0, 1);
            Files.write(file, new byte[] {1}, StandardOpenOption.APPEND);
            long length = Files.size(file);

            assertThatThrownBy(() -> journal.record(call, 1, 1))
                    .hasRootCauseMessage(
                            "FBR-580 The journal '" + file + "' (from CallOptions.journal) was taken over by"
                                    + " another program, or its lock was removed. A lock that was not renewed for 25 s is taken"
                                    + " over. Only one session at a time may write a journal.");
            assertThat(file).hasSize(length);
        }
    }

    @Test
    void fileWithoutAWholeHeaderAfterALossOfPowerIsAnEmptyJournal() throws IOException {
        for (int length : new int[] {1, 16}) {
            Files.write(file, new byte[length]);
            try (Opened journal = new Opened()) {
                assertThat(found(journal, SCORE)).isEmpty();
            }
        }
    }

    @Test
    void closedJournalsAreNotOpenedAgain() {
        Opened journal = new Opened();
        journal.close();

        assertThatThrownBy(() -> journal.journals.open(tmp.resolve("other.journal")))
                .hasMessage("FBR-302 This session is closed. Open another one with Fiber.open().");
        assertThat(tmp.resolve("other.journal.lock")).doesNotExist();
        assertThat(tmp.resolve("sweep.journal.lock")).doesNotExist();
    }

    @Test
    void stepsThatWereHandedOverBeforeTheEndRun() {
        Opened journal = new Opened();
        CompletableFuture<Void> last = new CompletableFuture<>();
        for (int i = 0; i < 1_000; i++) {
            journal.journal.execute(() -> {});
        }
        journal.journal.execute(() -> journal.journal.execute(() -> last.complete(null)));
        journal.close();

        assertThat(last).succeedsWithin(Duration.ofMinutes(1));
    }

    @Test
    void listingShowsCallsWithTheirResultsWhileTheJournalIsWritten() {
        try (Opened journal = new Opened()) {
            journal.record(journal.call(SCORE), 0, 3);
            journal.record(journal.call(SCORE), 0, 1);
            journal.record(
                    journal.journal.function(key("cost", 1), ChangedCode.REJECT).singles(), 0, 1);

            JournalListing listing = JournalListing.read(file);

            assertThat(listing.unfinishedBytes()).isZero();
            assertThat(listing.calls())
                    .extracting(call ->
                            call.function() + " " + call.number() + " " + call.results() + " of " + call.total())
                    .containsExactly(
                            "my.Model::score 1 3 of OptionalLong[100]",
                            "my.Model::score 2 1 of OptionalLong[100]",
                            "my.Model::cost 0 1 of OptionalLong.empty");
        }
        assertThatThrownBy(() -> JournalListing.read(tmp.resolve("none")))
                .hasMessage("FBR-585 There is no journal '" + tmp.resolve("none") + "'.");
    }
}
