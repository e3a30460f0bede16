// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.Transport;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The transport of a simulated session: every invitation is a wire. */
final class SimulatedNetwork implements Transport {

    private final World world;
    private final boolean confined;
    private final int windowFrames;
    /** Those that the master has not closed; of a hundred thousand workers few live at the same time. */
    private final Set<Wire> open = new LinkedHashSet<>();

    private final Map<String, Wire> wires = new HashMap<>();
    private Runnable wakeMaster = () -> {};
    private int made;

    SimulatedNetwork(World world, boolean confined) {
        this.world = world;
        this.confined = confined;
        this.windowFrames = world.chance(0.3) ? 2 : 64;
    }

    /** Tells whether the workers are on other hosts, where what a dead one has sent may be lost. */
    boolean isFar() {
        return !confined;
    }

    /** Says who is to look when something has come for the master. */
    void onNewsForMaster(Runnable waker) {
        wakeMaster = waker;
    }

    @Override
    public Link invite(LinkUse use) {
        Address address = new Address("wire:" + ++made);
        long delayNs = isFar() ? world.between(20_000, 2_000_000) : world.between(500, 20_000);
        Wire wire =
                new Wire(world, address, new Wire.Nature(delayNs, world.between(1, delayNs), windowFrames, confined));
        wire.master().onNews(() -> wakeMaster.run());
        wire.master().onClose(() -> open.remove(wire));
        open.add(wire);
        wires.put(address.text(), wire);
        return wire.master();
    }

    /** Checks what must hold when nothing is left: what has ended was closed, and will not be resumed. */
    void checkEnd() {
        for (Wire wire : open) {
            world.require(
                    !wire.master().isLeftOpen(),
                    () -> "the master's end of " + wire.address().text() + " is left open");
        }
    }

    Wire wire(Address address) {
        return requireNonNull(wires.get(address.text()), address.text());
    }

    /** The process at the far end has died: its connection may end at once, or be found silent. */
    void loseWorker(Wire wire) {
        if (isFar()) {
            wire.loseWhatTheWorkerSent(world.random().nextInt(8));
            wire.master().closeAfter(world.between(1_000_000, Wire.IMAGE_LIFE_NS), "the image ended");
        } else {
            wire.master().closeAfter(world.between(1_000, 50_000_000), "the process is gone");
        }
        forget(wire);
    }

    /** Forgets a wire that nobody uses any more. */
    void forget(Wire wire) {
        wires.remove(wire.address().text());
    }

    @Override
    public Link dial(Address address) {
        Wire wire = wire(address);
        wire.join();
        return wire.worker();
    }

    @Override
    public int doWork() {
        return 0;
    }

    @Override
    public Map<String, Long> counters() {
        return Map.of();
    }

    @Override
    public void close() {
        wires.clear();
    }
}
