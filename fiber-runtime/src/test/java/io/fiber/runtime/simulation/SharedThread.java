// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.shared.machines.Operation;
import io.fiber.runtime.shared.machines.Outcome;
import io.fiber.runtime.shared.machines.VirtualLock;
import io.fiber.runtime.shared.machines.VirtualQueue;
import java.util.function.Consumer;

/** A thread that puts, takes, locks and gives up, one after the other, and in the end takes what is left. */
final class SharedThread {

    private static final long GREATEST_PAUSE_NS = 300_000_000;
    private static final long GREATEST_PATIENCE_NS = 3_000_000_000L;

    private final World world;
    private final SharedSimulation scene;
    private final SharedProcess process;
    private final int number;
    private int puts;
    private int left;
    private boolean finished;

    /** Creates a thread that begins soon; its number is no other's. */
    SharedThread(World world, SharedSimulation scene, SharedProcess process, int number) {
        this.world = world;
        this.scene = scene;
        this.process = process;
        this.number = number;
        this.left = world.random().nextInt(5, 60);
        pause();
    }

    /** Tells whether nothing is to come of it. */
    boolean isOver() {
        return finished || process.life().isOver();
    }

    @Override
    public String toString() {
        return process.path() + "#" + number;
    }

    private void pause() {
        process.life().later(world.between(1_000, GREATEST_PAUSE_NS), this::next);
    }

    private void next() {
        if (scene.isClosing()) {
            take();
        } else if (left-- <= 0) {
            pause();
        } else {
            double kind = world.random().nextDouble();
            if (kind < 0.4) {
                put();
            } else if (kind < 0.75) {
                take();
            } else {
                lock();
            }
        }
    }

    private void put() {
        SharedItem item = new SharedItem(number, ++puts);
        ask(scene.queue(), VirtualQueue.put(item.payload()), reply -> {
            if (reply instanceof Reply.Answer answer && VirtualQueue.isHeld(answer.argument())) {
                scene.held(item);
            }
            pause();
        });
    }

    private void take() {
        ask(scene.queue(), VirtualQueue.take(), reply -> {
            if (reply instanceof Reply.Answer answer) {
                if (VirtualQueue.isDrained(answer.argument())) {
                    finished = true;
                } else {
                    received(VirtualQueue.delivery(answer.argument()), answer.payload());
                }
            } else if (reply instanceof Reply.Lost && scene.isClosing()) {
                finished = true;
            } else {
                pause();
            }
        });
    }

    private void received(long delivery, SealedPayload payload) {
        scene.received(SharedItem.of(payload), process);
        process.life().later(world.between(1_000, GREATEST_PAUSE_NS), () -> {
            process.router().tell(scene.queue(), VirtualQueue.acknowledge(delivery));
            process.news();
            pause();
        });
    }

    private void lock() {
        ask(scene.lock(), VirtualLock.request(Operation.LOCK, number), reply -> {
            if (reply instanceof Reply.Answer answer
                    && VirtualLock.reply(answer.argument()).outcome() == Outcome.DONE) {
                process.life().later(world.between(1_000, GREATEST_PAUSE_NS), this::unlock);
            } else {
                pause();
            }
        });
    }

    private void unlock() {
        ask(scene.lock(), VirtualLock.request(Operation.UNLOCK, number), reply -> pause());
    }

    /** Every call ends once: when what is called is gone, too. Some are given up. */
    private void ask(ObjectAddress object, Request request, Consumer<Reply> then) {
        boolean[] ended = {false};
        Runnable abandon = process.router().call(object, request, reply -> {
            world.require(!ended[0], () -> this + " is answered twice: " + reply);
            ended[0] = true;
            process.life().later(0, () -> then.accept(reply));
        });
        if (world.chance(0.2)) {
            process.life().later(world.between(1_000, GREATEST_PATIENCE_NS), () -> {
                if (!ended[0]) {
                    abandon.run();
                    process.news();
                }
            });
        }
        process.news();
    }
}
