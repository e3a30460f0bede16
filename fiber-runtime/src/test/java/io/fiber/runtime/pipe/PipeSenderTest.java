// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Tree;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.Options;
import io.fiber.spi.transport.Transport;
import org.junit.jupiter.api.Test;

class PipeSenderTest {

    private final Tree.Node node = new Tree().root(Seals.none());
    private final ProcessContext process = new ProcessContext(
            node.router(), binding -> Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, binding));
    private final Pipes pipes = Pipes.open(process, noTransport());
    private final Endpoint endpoint =
            new Endpoint(pipes, new PipeHandle(node.router().reserve(), 0));

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static Transport noTransport() {
        return null;
    }

    @Test
    void arrayThatIsSentAgainBeforeTheEndsAreLinkedLeavesEachTimeAsItWas() {
        byte[] bytes = {1, 2};
        endpoint.sender.sendBytes(bytes);
        bytes[0] = 3;
        endpoint.sender.sendBytes(bytes);
        bytes[0] = 4;

        Payload backlog = endpoint.sender.backlogForMeeting().bytes();

        // Each message is its kind, its length and its bytes.
        assertThat(backlog.toArray()).containsExactly(1, 2, 1, 2, 1, 2, 3, 2);
    }
}
