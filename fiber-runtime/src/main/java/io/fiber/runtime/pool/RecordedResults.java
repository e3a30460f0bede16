// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.journal.ItemDigest;
import io.fiber.runtime.journal.JournaledCall;
import io.fiber.runtime.platform.Sha256;
import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.functions.ClassStamp;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;

/** Answers the items of a call whose results are recorded, before they are fed. Used by one thread at a time. */
final class RecordedResults {

    private final JournaledCall call;
    private final CallJournal journal;
    private final Answers answers;
    private final SessionContext context;
    private final MessageDigest sha256 = Sha256.newDigest();
    private long taken;

    RecordedResults(JournaledCall call, CallJournal journal, Answers answers, SessionContext context) {
        this.call = call;
        this.journal = journal;
        this.answers = answers;
        this.context = context;
    }

    /**
     * Answers an item if its result is recorded, and otherwise has its result recorded.
     *
     * @param out holds the item from {@code start} on
     * @param code the code on which the item depends
     */
    boolean isTaken(long index, PayloadOutput out, long start, List<ClassStamp> code) {
        ItemDigest item = ItemDigest.of(out, start, code, sha256);
        Optional<Payload> recorded = call.find(index, item);
        if (recorded.isEmpty()) {
            journal.await(index, item);
            return false;
        }
        taken++;
        answers.onRecorded(new Answer.Block(index, 1, context.seals().close(recorded.get())));
        answers.onProgress(1, 0);
        return true;
    }

    /** Tells whether another one may be answered. */
    boolean hasRoom() {
        return answers.hasRoomForRecorded();
    }

    /** Returns how many were answered. */
    long taken() {
        return taken;
    }
}
