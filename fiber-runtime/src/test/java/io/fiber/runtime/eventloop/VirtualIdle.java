// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

/** How long the thread of a conductor sleeps in virtual time: what its {@link ConductorIdle} decides, without a sleep. */
public final class VirtualIdle {

    private final Conductor conductor;
    private final ConductorIdle idle;

    /** Creates the idling of the thread that runs a conductor. */
    public VirtualIdle(Conductor conductor) {
        this.conductor = conductor;
        this.idle = conductor.idleStrategy();
    }

    /** Returns how long it sleeps after a cycle that has looked at so many peers, done so much, and taken so long. */
    public long afterCycle(int peers, int work, long tookNs) {
        idle.looked(peers, work, conductor.nowNs() - tookNs);
        return idle.lengthNs(work);
    }

    /** Returns how long it sleeps when nothing has happened for so long. */
    public long afterSilence(long silentNs) {
        return idle.sleepNs(silentNs, idle.expected.get());
    }

    /** A command has ended its sleep. */
    public void woken() {
        idle.reset();
    }
}
