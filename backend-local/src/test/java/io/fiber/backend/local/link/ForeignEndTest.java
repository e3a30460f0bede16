// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Connection;
import io.fiber.FiberException;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.ValueName;
import io.fiber.tck.memory.MemoryNetwork;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** An end of a pipe that another session made, which no process of this one can use. */
class ForeignEndTest {

    private static final ValueName END = new ValueName("an end", "a pipe");

    private final LoneProcess maker = new LoneProcess(new MemoryNetwork());
    private final LoneProcess other = new LoneProcess(new MemoryNetwork(), "abcdefghij02");
    private final Connection<String, String> end =
            arrived(maker.pipes.<String, String>pipe().first());

    @SuppressWarnings({"unchecked", "NullAway"}) // an end travels as one
    private Connection<String, String> arrived(Connection<String, String> sent) {
        PayloadOutput out = new PayloadOutput();
        maker.process.codecs().values().write(sent, out, END);
        return (Connection<String, String>)
                other.process.codecs().values().read(out.toPayload().open(), END);
    }

    @Test
    void everyUseIsRefusedAndTheSessionEndsWithoutWaitingForTheEnd() {
        for (int i = 0; i < 2; i++) {
            assertRefused(() -> end.send("lost"));
            assertRefused(end::receive);
            assertRefused(() -> end.poll(Duration.ZERO));
        }
        end.close();
        AtomicBoolean left = new AtomicBoolean();
        other.conductor.execute(() -> other.pipes.leave(() -> left.set(true)));
        other.conduct(10);
        assertThat(left).isTrue();
    }

    private static void assertRefused(ThrowingCallable use) {
        assertThatThrownBy(use)
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-422 ")
                .hasMessageContaining("belongs to the program of session abcdefghij01");
    }
}
