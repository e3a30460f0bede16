// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import static java.util.Objects.requireNonNull;

import io.fiber.WorkerLostException;
import io.fiber.runtime.worker.VirtualWorker.Doing;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One call of a simulation: what is asked, what its items do, and how often each has begun. */
public final class CallScript {

    /** The value of the first item of a range. */
    public static final int RANGE_FIRST = 1_000;

    private static final List<Long> TASK_TIMES_NS =
            List.of(50L, 1_000L, 100_000L, 2_000_000L, 60_000_000L, 900_000_000L);

    private static final long NEVER = Long.MAX_VALUE;
    private static final long CANCEL_NS = 1_000_000_000L;

    /**
     * What all calls of a world have in common.
     *
     * @param isCalm whether what is said arrives at once
     * @param crashShare the share of items that end their worker by chance
     */
    record Climate(boolean isCalm, double crashShare) {}

    /** Ways to ask. */
    public enum Kind {
        /** One item whose result completes a future. */
        APPLY,
        /** Numbers, all results at the end. */
        MAP_RANGE,
        /** Items that are fed, all results at the end. */
        MAP_ITEMS,
        /** Items that are fed, results in their order as they are taken. */
        IMAP,
        /** Numbers, results as they arrive. */
        IMAP_ANY_ORDER
    }

    private final World world;
    private final int number;
    private final Kind kind;
    private final int items;
    private final long taskNs;
    private final int maxAttempts;
    private final int chunkItems;
    private final int itemBytes;
    private final int resultBytes;
    private final double crashShare;
    private final Set<Integer> killers = new HashSet<>();
    private final Set<Integer> throwers = new HashSet<>();
    private final Set<Integer> arrivals = new HashSet<>();
    private final boolean lethal;
    private final boolean isCalm;
    private final int[] begun;
    private final int[] unannounced;
    private final int[] announcements;
    private final ScriptedTries tries;
    private long cancelledNs = NEVER;

    CallScript(World world, int number, int greatestItems, Climate climate) {
        this.world = world;
        this.number = number;
        this.crashShare = climate.crashShare;
        this.isCalm = climate.isCalm;
        this.kind = Kind.values()[world.random().nextInt(Kind.values().length)];
        this.maxAttempts = world.random().nextInt(1, 4);
        this.chunkItems = world.chance(0.3) ? world.random().nextInt(1, 50) : 0;
        boolean heavy = world.chance(0.03) && crashShare == 0;
        this.taskNs =
                heavy ? TASK_TIMES_NS.get(2) : TASK_TIMES_NS.get(world.random().nextInt(TASK_TIMES_NS.size()));
        this.items = kind == Kind.APPLY ? 1 : heavy ? 300 : size(greatestItems);
        this.itemBytes = world.chance(0.2) ? world.random().nextInt(8, 9_000) : 0;
        this.resultBytes = heavy ? 100_000 : world.chance(0.1) ? world.random().nextInt(9, 5_000) : 0;
        this.begun = new int[items];
        this.unannounced = new int[items];
        this.announcements = new int[items];
        this.tries = new ScriptedTries(world, "call " + number, items);
        if (world.chance(0.3)) {
            pick(killers);
        }
        if (world.chance(0.1)) {
            pick(throwers);
        }
        // Apart, so that the schedules of other calls stay what they are.
        Random apart = new Random(world.seed() * 31 + number);
        this.lethal = apart.nextInt(20) == 0 && items > 0;
        if (items > 0 && apart.nextInt(20) == 0) {
            arrivals.add(apart.nextInt(items));
        }
    }

    /** Tells whether its function ends each worker that deserializes it. */
    public boolean isLethal() {
        return lethal;
    }

    /** Tells whether a chunk that begins with this item ends each worker that it is sent to. */
    boolean endsOnArrival(@Nullable Object item) {
        return arrivals.contains(indexOf(item));
    }

    /** Tells whether an item may be given up where nothing else ends workers. */
    public boolean mayBeGivenUp(int index) {
        return !isCalm || maxAttempts == 1 || lethal || killers.contains(index) || arrivals.contains(index);
    }

    /** Tells whether its function may be taken for one that ends workers: where others end, three may begin it by chance. */
    public boolean mayBeTakenForLethal() {
        return !isCalm || lethal;
    }

    /**
     * Returns how many workers it may end where nothing else does. An item that ends them as it arrives does so once with
     * others, where a worker has several threads once more beside what may have begun there, and five times alone.
     */
    long greatestCrashes(int workers, int threads) {
        long byFunction = lethal ? 3L * workers + 2L * Math.max(3, maxAttempts) : 0;
        long byArrival = threads == 1 ? 6 : 7;
        return byFunction + (long) killers.size() * maxAttempts + arrivals.size() * byArrival;
    }

    private int size(int greatest) {
        if (world.chance(0.1)) {
            return world.random().nextInt(2);
        }
        long most = Math.min(greatest, 20_000_000_000L / taskNs);
        return (int) Math.max(1, world.between(1, Math.max(2, most)));
    }

    private void pick(Set<Integer> some) {
        for (int i = world.random().nextInt(1, 4); i > 0 && items > 0; i--) {
            some.add(world.random().nextInt(items));
        }
    }

    /** Returns its number, which names its function too. */
    public int number() {
        return number;
    }

    /** Returns how it is asked. */
    public Kind kind() {
        return kind;
    }

    /** Returns how many items it has. */
    public int items() {
        return items;
    }

    /** Returns how often an item may be begun. */
    public int maxAttempts() {
        return maxAttempts;
    }

    /** Returns how its items are tried again when they throw. */
    public ScriptedTries tries() {
        return tries;
    }

    /** Returns its function as it travels. */
    public Object function() {
        return tries.function(number);
    }

    /** The master waits for another try of an item, after so many failures. */
    public void seenTry(int index, int failures) {
        tries.seen(index, failures, throwers);
    }

    /** Returns how many earlier failures come with the last word about an item that has none but failures. */
    public int earlierFailures(int index, Throwable last) {
        return last instanceof WorkerLostException ? tries.taken(index) : tries.before();
    }

    /** Returns how many items a chunk should have; 0 leaves it to the pool. */
    public int chunkItems() {
        return chunkItems;
    }

    /** Tells whether an item always ends its worker. */
    public boolean isKiller(int index) {
        return killers.contains(index);
    }

    /** Tells whether an item throws. */
    public boolean isThrower(int index) {
        return throwers.contains(index);
    }

    /** Tells whether every item returns a result, unless it is given up. */
    public boolean isHarmless() {
        return killers.isEmpty() && throwers.isEmpty() && !lethal;
    }

    /** Returns an item as it travels. */
    public Object item(int index) {
        return itemBytes == 0
                ? (Object) (long) index
                : ByteBuffer.allocate(itemBytes).putInt(index).array();
    }

    /** Returns the place of an item that has arrived. */
    private static int indexOf(@Nullable Object item) {
        if (item instanceof Integer value) {
            return value - RANGE_FIRST;
        }
        return item instanceof byte[] bytes
                ? ByteBuffer.wrap(bytes).getInt()
                : ((Long) requireNonNull(item)).intValue();
    }

    private Object result(int index) {
        long value = number * 1_000_000_007L + index;
        return resultBytes == 0
                ? (Object) value
                : ByteBuffer.allocate(resultBytes).putLong(value).array();
    }

    /** Tells whether something is the result of an item. */
    public boolean isResult(int index, @Nullable Object value) {
        long right = number * 1_000_000_007L + index;
        return value instanceof byte[] bytes
                ? bytes.length == resultBytes && ByteBuffer.wrap(bytes).getLong() == right
                : value instanceof Long number && number == right;
    }

    /** Returns how many bytes a result has at least. */
    public int resultBytes() {
        return resultBytes;
    }

    /** Returns how often an item was begun. */
    public int begun(int index) {
        return begun[index];
    }

    /** Returns how often an item was begun, or was about to be when its worker was lost. */
    public int announcedOrBegun(int index) {
        return unannounced[index] + announcements[index];
    }

    /** An item will begin when the master has noted its announcement. */
    void announce(@Nullable Object item) {
        announcements[indexOf(item)]++;
    }

    /** Nobody waits for results any more. */
    public void cancelled() {
        cancelledNs = world.nowNs();
    }

    /** An item begins: never more often than it may. */
    Doing begin(@Nullable Object item, boolean announced) {
        int index = indexOf(item);
        world.require(index >= 0 && index < items, () -> this + " has no item " + index);
        world.require(
                !isCalm || cancelledNs == NEVER || world.nowNs() - cancelledNs < CANCEL_NS,
                () -> "item " + index + " of " + this + " begins long after the cancel");
        world.require(
                begun[index] < maxAttempts + tries.taken(index),
                () -> "item " + index + " of " + this + " begins, and was begun " + begun[index] + " times before");
        tries.begins(index);
        begun[index]++;
        if (!announced) {
            unannounced[index]++;
            world.require(
                    unannounced[index] <= 1 + tries.taken(index) && maxAttempts > 1,
                    () -> "item " + index + " of " + this + " begins unannounced, which it may not");
        }
        return doing(index);
    }

    private Doing doing(int index) {
        long durationNs = taskNs / 2 + world.random().nextLong(taskNs + 1);
        if (killers.contains(index) || world.chance(crashShare)) {
            return new Doing(world.random().nextLong(durationNs + 1), true, "");
        }
        if (throwers.contains(index)) {
            return new Doing(durationNs, false, tries.always(index));
        }
        boolean fails = tries.throwsNow(index);
        return new Doing(durationNs, false, fails ? new IllegalStateException("item " + index) : result(index));
    }

    @Override
    public String toString() {
        return "call " + number;
    }

    /** Describes what is asked. */
    String describe() {
        return this + ": " + kind + ", " + items + " items of " + taskNs + " ns, " + maxAttempts + " attempts, "
                + tries.limits() + ", chunks of " + chunkItems + ", killers " + killers + ", throwers " + throwers
                + ", arrivals " + arrivals + (lethal ? ", a lethal function" : "");
    }
}
