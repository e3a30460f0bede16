// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.process.SubmissionBudget;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.Tree;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.Options;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RingRegistrarTest {

    private final Tree tree = new Tree();
    private final Tree.Node root = tree.root(Seals.none());

    @Test
    void membersHearOfEachOtherWhenNoThreadCanBeStartedToAnswerThem() throws IOException {
        ProcessContext process = new ProcessContext(
                root.router(),
                binding -> Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, binding));
        SessionContext context = new SessionContext(
                root.router().conductor(),
                process.codecs(),
                Seals.none(),
                task -> {
                    throw new OutOfMemoryError("unable to create native thread");
                },
                Runnable::run,
                SubmissionBudget.ofHeap(),
                process);
        ObjectAddress registrar = root.router().host(new RingRegistrar(context, 2));
        List<Reply> replies = new ArrayList<>();
        List<InetSocketAddress> members = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            InetSocketAddress member = new InetSocketAddress(InetAddress.getLoopbackAddress(), 5_000 + rank);
            members.add(member);
            Request here = new Request(RingRegistrar.HERE, rank, Seals.none().close(RingRegistrar.write(member)));
            root.worker(rank + 1).router().call(registrar, here, replies::add);
        }
        tree.settle();

        assertThat(replies).hasSize(2);
        for (Reply reply : replies) {
            Reply.Answer answer = (Reply.Answer) reply;
            assertThat(RingRegistrar.read(answer.payload().bytes(), 2)).isEqualTo(members);
        }
    }
}
