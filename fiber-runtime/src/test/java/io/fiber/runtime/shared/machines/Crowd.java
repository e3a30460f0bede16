// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Processes of one thread each that use a machine: they ask, wait, give up and die in an order that a seed gives. One that
 * has died is replaced by another with a new number.
 */
abstract class Crowd {

    static final int PROCESSES = 6;
    private static final int STEPS = 2_000;

    final Random random;
    final Recorder recorder = new Recorder();
    final List<Party> live = new ArrayList<>();
    /** Who waits for a reply. */
    final Map<Party, AskedCall> waiting = new HashMap<>();

    private final int stepsForADeath;
    private int nextProcess = 1;

    Crowd(long seed, int stepsForADeath, Machine machine) {
        this.random = new Random(seed);
        this.stepsForADeath = stepsForADeath;
        recorder.of(machine);
        IntStream.range(0, PROCESSES).forEach(i -> live.add(newParty()));
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 100);
    }

    /** Lets them do as they like, and then end. */
    void run() {
        for (int step = 0; step < STEPS; step++) {
            recorder.take();
            step();
            settle();
            check();
        }
        drain();
    }

    private void step() {
        Party party = live.get(random.nextInt(live.size()));
        if (random.nextInt(stepsForADeath) == 0) {
            die(party);
        } else if (!waiting.containsKey(party)) {
            act(party);
        } else if (random.nextInt(4) == 0) {
            withdraw(party);
        }
    }

    /** A process that waits for nothing does something. */
    abstract void act(Party party);

    /** A process is about to end. */
    abstract void dies(Party party);

    /** A process that waited has its reply. */
    abstract void answered(Party party, Recorder.Told told);

    /** Checks what holds after each step. */
    void check() {}

    /** Lets everybody end what they do, and checks what must hold then. */
    abstract void drain();

    /** A process waits no more. */
    void withdraw(Party party) {
        AskedCall call = waiting.remove(party);
        if (call != null) {
            recorder.giveUp(call);
        }
    }

    private void die(Party party) {
        live.remove(party);
        waiting.remove(party);
        dies(party);
        live.add(newParty());
        recorder.end(party.process());
    }

    final Party newParty() {
        return Recorder.party(nextProcess++);
    }

    /** Takes the replies in their order. */
    final void settle() {
        for (Recorder.Told told : recorder.take()) {
            Party party = told.call().party();
            if (waiting.remove(party, told.call())) {
                answered(party, told);
            }
        }
    }
}
