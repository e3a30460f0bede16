// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A world of one thread with a time of its own. Whatever is random in it comes from its seed, so that a run can be
 * repeated: what happened is kept as a story only when it is wanted.
 */
public final class World {

    /** Whether it is kept what happens. */
    public enum Memory {
        /** Nothing is kept, which is faster. */
        NONE,
        /** Everything is, for a person who reads it. */
        STORY
    }

    private static final int STORY = 20_000;

    private record Line(long ageNs, String text) {
        @Override
        public String toString() {
            return "%,15d µs  %s".formatted(ageNs / 1_000, text);
        }
    }

    private record Event(long atNs, long order, Runnable action) {}

    private final long seed;
    private final SplittableRandom random;
    private final PriorityQueue<Event> events = new PriorityQueue<>(
            (a, b) -> a.atNs != b.atNs ? Long.compare(a.atNs, b.atNs) : Long.compare(a.order, b.order));
    private final ArrayDeque<Line> story = new ArrayDeque<>();
    private final Memory memory;
    private final long startNs;
    private long nowNs;
    /** What was broken first; code under test that survives the throwing of it does not hide it. */
    private @Nullable BrokenPromise broken;

    /** What the action leads to that takes time now. */
    private @Nullable List<Event> spending;

    private long order;

    World(long seed, Memory memory) {
        this.seed = seed;
        this.memory = memory;
        this.random = new SplittableRandom(new SplittableRandom(seed).nextLong());
        // The clock of a JVM may begin anywhere.
        this.startNs = random.nextLong(-(1L << 60), 1L << 60);
        this.nowNs = startNs;
    }

    /** Returns what it was made of. */
    long seed() {
        return seed;
    }

    /** Returns how late it is. */
    public long nowNs() {
        return nowNs;
    }

    /** Returns how long this world has lasted. */
    long ageNs() {
        return nowNs - startNs;
    }

    /** Returns where everything random comes from. */
    public SplittableRandom random() {
        return random;
    }

    /** Tells whether something happens that does so in this share of cases. */
    public boolean chance(double share) {
        return random.nextDouble() < share;
    }

    /** Returns a time between two, the shorter ones more often. */
    public long between(long leastNs, long mostNs) {
        double share = random.nextDouble();
        return leastNs + (long) ((mostNs - leastNs) * share * share);
    }

    /** Has an action run after a delay. */
    public void later(long delayNs, Runnable action) {
        Event event = new Event(nowNs + Math.max(0, delayNs), order++, action);
        if (spending == null) {
            events.add(event);
        } else {
            spending.add(event);
        }
    }

    /**
     * Runs an action that takes as long as {@code clock} says it did: what it leads to happens as much later, while the time
     * of this world stands still. Returns how long it took.
     */
    long spend(Runnable action, LongSupplier clock) {
        List<Event> results = new ArrayList<>();
        spending = results;
        long beganNs = clock.getAsLong();
        action.run();
        long tookNs = clock.getAsLong() - beganNs;
        spending = null;
        results.forEach(event -> events.add(new Event(event.atNs + tookNs, event.order, event.action)));
        return tookNs;
    }

    /** Forgets everything that would happen. */
    void end() {
        events.clear();
    }

    /** Runs the next event; false when there is none. */
    boolean step() {
        Event event = events.poll();
        if (event == null) {
            return false;
        }
        nowNs = Math.max(nowNs, event.atNs);
        event.action.run();
        if (broken != null) {
            throw broken;
        }
        return true;
    }

    /** Adds a line to the story. */
    public void tell(Supplier<String> line) {
        if (memory == Memory.STORY) {
            if (story.size() == STORY) {
                story.remove();
            }
            story.add(new Line(ageNs(), line.get()));
        }
    }

    /** Fails unless something holds. */
    public void require(boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            BrokenPromise failure = broken(otherwise.get(), null);
            broken = broken == null ? failure : broken;
            throw failure;
        }
    }

    /** Returns the failure of this run. */
    BrokenPromise broken(String what, @Nullable Throwable cause) {
        return new BrokenPromise(seed, what, story(), cause);
    }

    String story() {
        return story.stream().map(Line::toString).collect(Collectors.joining("\n"));
    }
}
