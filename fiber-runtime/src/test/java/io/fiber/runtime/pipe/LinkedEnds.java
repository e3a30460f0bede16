// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import io.fiber.runtime.channel.PlainLinks;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Tree;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.Options;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.Transport;

/** Makes ends of pipes, of which some are linked without a rendezvous. */
public final class LinkedEnds {

    private final Tree.Node node = new Tree().root(Seals.none());
    private final Pipes pipes = Pipes.open(
            new ProcessContext(
                    node.router(),
                    binding -> Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, binding)),
            noTransport());

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static Transport noTransport() {
        return null;
    }

    Endpoint endpoint() {
        return new Endpoint(pipes, new PipeHandle(node.router().reserve(), 0));
    }

    /** Returns an end whose other end is at the other end of the link. */
    public RawPipeEnd raw(Link link) {
        Endpoint endpoint = endpoint();
        endpoint.onLinked(PlainLinks.of(link));
        return new RawPipeEnd(endpoint);
    }
}
