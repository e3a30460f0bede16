// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.codec.RpcMessageDecoder;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.Seals;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A process that uses what others host, or hosts it: the real conductor and exchange, and no tasks. */
final class SharedProcess {

    private static final long TICK_NS = 1_000_000_000L;
    private static final long CYCLE_NS = 5_000;
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final long LIMIT_BYTES = 1 << 20;

    private final World world;
    private final ProcessPath path;
    private final Lifetime life;
    private final Conductor conductor;
    private final RpcRouter router;
    private @Nullable Wire wire;
    private Runnable afterCycle = () -> {};
    private boolean cycleIsDue;

    SharedProcess(World world, ProcessPath path) {
        this.world = world;
        this.path = path;
        this.life = new Lifetime(world);
        this.conductor = new Conductor(path.toString(), world::nowNs, LEASE);
        this.router = new RpcRouter(new ProcessAddress("simulated", path), conductor, Seals.none(), Runnable::run);
        conductor.addDuty(router);
        tick();
    }

    ProcessPath path() {
        return path;
    }

    RpcRouter router() {
        return router;
    }

    Lifetime life() {
        return life;
    }

    /** Returns the wire to its master; null in the root. */
    @Nullable
    Wire wire() {
        return wire;
    }

    /** Says what is looked at after each cycle. */
    void afterEachCycle(Runnable check) {
        afterCycle = check;
    }

    /** Starts a worker; {@code gone} is told when this process counts it as gone, and how. */
    SharedProcess hire(int number, SimulatedNetwork network, BiConsumer<SharedProcess, String> gone) {
        SharedProcess child = new SharedProcess(world, path.child(number));
        Wire between = network.wire(network.invite().address());
        child.wire = between;
        Peer down = conductor.addPeer(between.master(), new Peer.Listener() {
            @Override
            public void onMessage(Peer peer, Message message) {
                if (message.templateId() == RpcMessageDecoder.TEMPLATE_ID) {
                    router.onMessageOf(child.path, message);
                }
            }

            @Override
            public void onGone(Peer peer, String reason) {
                gone.accept(child, reason);
                router.disconnect(child.path, reason);
            }
        });
        down.trust(LIMIT_BYTES);
        router.connect(child.path, down::offer, Seals.none());
        child.join(between, network);
        return child;
    }

    private void join(Wire up, SimulatedNetwork network) {
        Peer master = conductor.addPeer(up.worker(), new Peer.Listener() {
            @Override
            public void onMessage(Peer peer, Message message) {
                if (message.templateId() == RpcMessageDecoder.TEMPLATE_ID) {
                    router.onMessageOfMaster(message);
                }
            }

            @Override
            public void onGone(Peer peer, String reason) {
                die(network, "its master is gone: " + reason);
            }
        });
        master.trust(LIMIT_BYTES);
        router.connectMaster(master::offer);
        up.worker().onNews(this::news);
        network.dial(up.address());
    }

    /** Ends at once. */
    void die(SimulatedNetwork network, String how) {
        if (!life.isOver()) {
            life.end();
            world.tell(() -> path + " dies: " + how);
            Wire up = wire;
            if (up != null) {
                network.loseWorker(up);
            }
        }
    }

    /** Something has come for it. */
    void news() {
        if (!cycleIsDue) {
            cycleIsDue = true;
            life.later(CYCLE_NS, this::cycle);
        }
    }

    private void tick() {
        life.later(TICK_NS, () -> {
            tick();
            news();
        });
    }

    private void cycle() {
        cycleIsDue = false;
        int work = conductor.doWork();
        afterCycle.run();
        if (work > 0) {
            news();
        }
    }

    /** Ends in order. */
    void close() {
        conductor.onClose();
        life.end();
    }
}
