// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.Retry;
import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.pool.scheduling.Call;
import io.fiber.runtime.pool.scheduling.FixedCalls;
import java.util.Iterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OpenStreamsTest {

    private final WorkerlessPool pool = new WorkerlessPool().started();
    private final OpenStreams streams = new OpenStreams();
    private final ConsumerParking parking = new ConsumerParking("results");
    private final Answers answers = new Answers(Answers.Room.BOUNDED, 1, parking::wake, () -> {});
    private final CallHandle call = new CallHandle(
            pool.driver,
            pool.conductor,
            new Call(
                    FixedCalls.function(1), FixedCalls.ints(0, 10), new Call.Limits(0, 1, 0, Retry.times(0)), answers));
    private final ResultIterator results =
            new ResultIterator(answers, parking, EncodedResults.reader(), ResultIterator.Order.INPUT, () -> {});

    private final Stream<Object> stream = StreamSupport.stream(Spliterators.spliteratorUnknownSize(results, 0), false);

    @BeforeEach
    void begin() {
        call.begin();
        streams.add(stream, results, call);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    /** Its iterator may be read later. */
    @Test
    void streamWhoseIteratorWasTakenGoesOn() {
        Iterator<Object> iterator = stream.iterator();
        streams.cancelUnread(new PoolClosedException("sweep", PoolState.DRAINING));
        answers.onAnswer(new Answer.Block(0, 1, EncodedResults.of("a")));

        assertThat(pool.hasOpenCalls()).isTrue();
        assertThat(iterator.next()).isEqualTo("a");
    }

    @Test
    void streamThatNobodyHasReadIsCancelledAndSaysSoToALateReader() {
        streams.cancelUnread(new PoolClosedException("sweep", PoolState.DRAINING));
        assertThat(pool.hasOpenCalls()).isFalse();
        assertThat(streams.isEmpty()).isTrue();
        assertThatThrownBy(results::hasNext)
                .isInstanceOf(PoolClosedException.class)
                .hasMessageContaining("FBR-404 Pool 'sweep' is DRAINING");
    }
}
