// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.Retry;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class OpenStreamsTest {

    private final List<Call> cancelled = new ArrayList<>();
    private final OpenStreams streams = new OpenStreams(cancelled::add);
    private final ConsumerParking parking = new ConsumerParking("results");
    private final Answers answers = new Answers(Answers.Room.BOUNDED, 1, parking::wake, () -> {});
    private final Call call = new Call(
            new TaskFunction(1, SealedPayload.none()),
            FixedCalls.ints(0, 10),
            new Call.Limits(0, 1, 0, Retry.times(0)),
            answers);
    private final ResultIterator results =
            new ResultIterator(answers, parking, EncodedResults.reader(), ResultIterator.Order.INPUT, () -> {});

    private final Stream<Object> stream = StreamSupport.stream(Spliterators.spliteratorUnknownSize(results, 0), false);

    /** Its iterator may be read later. */
    @Test
    void streamWhoseIteratorWasTakenGoesOn() {
        streams.add(stream, results, call);
        Iterator<Object> iterator = stream.iterator();
        streams.cancelUnread(new PoolClosedException("sweep", PoolState.DRAINING));
        answers.onAnswer(new Answers.Block(0, 1, EncodedResults.of("a")));

        assertThat(cancelled).isEmpty();
        assertThat(iterator.next()).isEqualTo("a");
    }

    @Test
    void streamThatNobodyHasReadIsCancelledAndSaysSoToALateReader() {
        streams.add(stream, results, call);
        streams.cancelUnread(new PoolClosedException("sweep", PoolState.DRAINING));
        assertThat(cancelled).containsExactly(call);
        assertThat(streams.isEmpty()).isTrue();
        assertThatThrownBy(results::hasNext)
                .isInstanceOf(PoolClosedException.class)
                .hasMessageContaining("FBR-404 Pool 'sweep' is DRAINING");
    }
}
