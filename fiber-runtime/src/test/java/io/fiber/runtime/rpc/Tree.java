// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.PairedLink;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.codec.RpcMessageDecoder;
import io.fiber.runtime.security.Seals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Processes of one program in one thread: routers, conductors and links, and nothing else. */
public final class Tree {

    static final String PROGRAM = "abcdefghijkl";

    private static final int ENOUGH_CYCLES = 40;

    private final List<Node> processes = new ArrayList<>();
    private long nowNs = 1;

    /** One process. */
    public final class Node {
        final Conductor conductor = new Conductor("test", () -> nowNs, Duration.ofSeconds(20));
        final RpcRouter router;
        final Seals below;

        /** The seals of a process and its workers need not be those of the process and its master. */
        Node(ProcessPath path, Seals above, Seals below) {
            this.below = below;
            router = new RpcRouter(new ProcessAddress(PROGRAM, path), conductor, above, Runnable::run);
            conductor.addDuty(router);
            processes.add(this);
        }

        public RpcRouter router() {
            return router;
        }

        ProcessPath path() {
            return router.path();
        }

        /** Starts a worker whose own workers share its seals. */
        public Node worker(int number) {
            return worker(number, below);
        }

        Node worker(int number, Seals belowIt) {
            Node child = new Node(path().child(number), below, belowIt);
            PairedLink.Pair links = PairedLink.pair();
            Peer down = conductor.addPeer(links.master(), new Listener() {
                @Override
                public void onMessage(Peer peer, Message message) {
                    if (message.templateId() == RpcMessageDecoder.TEMPLATE_ID) {
                        router.onMessageOf(child.path(), message);
                    }
                }
            });
            Peer up = child.conductor.addPeer(links.worker(), new Listener() {
                @Override
                public void onMessage(Peer peer, Message message) {
                    if (message.templateId() == RpcMessageDecoder.TEMPLATE_ID) {
                        child.router.onMessageOfMaster(message);
                    }
                }
            });
            down.trust(1 << 20);
            up.trust(1 << 20);
            router.connect(child.path(), down::offer, below);
            child.router.connectMaster(up::offer);
            return child;
        }

        /** A worker of this process ends. */
        public void lose(Node child, String how) {
            processes.removeIf(process -> process.path().isUnder(child.path()));
            router.disconnect(child.path(), how);
        }
    }

    private abstract static class Listener implements Peer.Listener {
        @Override
        public void onGone(Peer peer, String reason) {
            throw new InternalError("A link has ended: " + reason);
        }
    }

    /** Returns a root. */
    public Node root(Seals seals) {
        return new Node(ProcessPath.root(), seals, seals);
    }

    /** Lets everything arrive. */
    public void settle() {
        for (int i = 0; i < ENOUGH_CYCLES; i++) {
            nowNs += 1_000;
            List.copyOf(processes).forEach(process -> process.conductor.doWork());
        }
    }
}
