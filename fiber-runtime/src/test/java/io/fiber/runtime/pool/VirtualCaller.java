// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.RemoteTaskException;
import io.fiber.WorkerLostException;
import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.pool.scheduling.Call;
import io.fiber.runtime.pool.scheduling.FairTurns;
import io.fiber.runtime.pool.scheduling.FixedCalls;
import io.fiber.runtime.pool.scheduling.ItemSource;
import io.fiber.runtime.pool.scheduling.MachineInside;
import io.fiber.runtime.pool.scheduling.Source;
import io.fiber.runtime.pool.scheduling.TaskFunction;
import io.fiber.runtime.protocol.Messages.Running;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.simulation.CallScript;
import io.fiber.runtime.simulation.World;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A caller of a simulation: does what {@link CallEngine} and the threads of callers do, step by step, and checks what the
 * caller is told in the end.
 */
public final class VirtualCaller {

    private static final int MANY = 4096;
    private static final int STEPS = 20;

    /**
     * What callers of a session share.
     *
     * @param world their time
     * @param pool the pool
     * @param codecs what makes bytes of objects
     * @param seals what seals them
     * @param turns watches whose turn it is
     * @param command has the conductor run something
     */
    public record Session(
            World world, VirtualPool pool, Codecs codecs, Seals seals, FairTurns turns, Consumer<Runnable> command) {}

    private final Session session;
    private final World world;
    private final CallScript script;
    private final TaskFunction function;
    private final WatchedSink sink;
    private final Source source;
    private final Call call;
    private final @Nullable Feeder feeder;
    private final @Nullable BlockSource blocks;
    private final @Nullable VirtualConsumer consumer;
    private boolean feedIsDue;
    private boolean over;
    private boolean retired;

    /** Creates a caller; {@link #submit} makes the call. */
    public VirtualCaller(Session session, CallScript script) {
        this.session = session;
        this.world = session.world;
        this.script = script;
        this.function = new TaskFunction(script.number(), encode(script.function()));
        function.claim();
        if (script.kind() == CallScript.Kind.MAP_ITEMS || script.kind() == CallScript.Kind.IMAP) {
            BlockSource source = FixedBlocks.of(this::feedSoon);
            blocks = source;
            feeder = new Feeder(
                    IntStream.range(0, script.items()).mapToObj(script::item).iterator(),
                    source,
                    session.codecs,
                    session.seals);
        } else {
            blocks = null;
            feeder = null;
        }
        ResultReader reader = EncodedResults.reader(session.codecs, session.seals);
        if (script.kind() == CallScript.Kind.APPLY) {
            consumer = null;
            sink = new WatchedSink(
                    world,
                    script,
                    new SingleAnswer(
                            task -> world.later(world.between(100, 100_000), task), event -> answered(reader, event)));
        } else {
            Answers.Room room = isMap() ? Answers.Room.UNBOUNDED : Answers.Room.BOUNDED;
            Answers answers =
                    new Answers(room, isMap() ? MANY : 1, this::wakeConsumer, () -> session.command.accept(() -> {}));
            consumer = new VirtualConsumer(world, script, answers, reader);
            sink = new WatchedSink(world, script, answers);
        }
        this.source = blocks == null ? source() : session.turns.watch(blocks, sink);
        this.call = new Call(
                function,
                source,
                new Call.Limits(
                        script.chunkItems(),
                        script.maxAttempts(),
                        0,
                        script.tries().limits()),
                sink);
    }

    private boolean isMap() {
        return script.kind() == CallScript.Kind.MAP_ITEMS || script.kind() == CallScript.Kind.MAP_RANGE;
    }

    private Source source() {
        return script.kind() == CallScript.Kind.APPLY
                ? new ItemSource(encode(script.item(0)), () -> {})
                : FixedCalls.ints(CallScript.RANGE_FIRST, script.items());
    }

    private SealedPayload encode(Object value) {
        PayloadOutput out = new PayloadOutput();
        session.codecs.values().write(value, out);
        return session.seals.close(out.toPayload());
    }

    /** Tells whether the caller knows how it ended. */
    public boolean isOver() {
        return over;
    }

    /** Makes the call; a pool that has closed refuses it. */
    public void submit() {
        if (session.pool.state() != PoolState.RUNNING) {
            world.tell(() -> script + " is refused");
            FixedCalls.end(call);
            sink.cancel();
            over = true;
            return;
        }
        world.tell(() -> "submit " + script);
        session.command.accept(() -> {
            session.turns.opened(source);
            session.pool.driver().machine.onCall(call);
        });
        if (world.chance(0.2)) {
            // Others have pushed the function out of the cache while the call needs it.
            retire();
        }
        if (feeder != null) {
            feedSoon();
        }
    }

    /** Gives the call up. */
    public void cancel() {
        if (over) {
            return;
        }
        world.tell(() -> "cancel " + script);
        script.cancelled();
        call.whenCancelled(world.chance(0.5) ? Running.INTERRUPTED : Running.LEFT);
        finish();
        cancelCall();
    }

    private void cancelCall() {
        sink.cancel();
        session.command.accept(() -> session.pool.driver().machine.onCancel(call));
    }

    private void finish() {
        over = true;
        retire();
    }

    private void retire() {
        if (!retired) {
            retired = true;
            session.command.accept(() -> session.pool.driver().retire(function));
        }
    }

    private void feedSoon() {
        if (!feedIsDue) {
            feedIsDue = true;
            world.later(world.between(1_000, 300_000), () -> {
                feedIsDue = false;
                feed();
            });
        }
    }

    /** What the thread does that serializes a call's items. */
    private void feed() {
        if (feeder == null || blocks == null || blocks.isClosed() || (over && isMap())) {
            return;
        }
        blocks.feederWaits(false);
        for (int i = 0; i < STEPS; i++) {
            Feeder.Step step = feeder.feed();
            session.command.accept(() -> {});
            if (step == Feeder.Step.ENDED) {
                session.command.accept(() -> session.pool.driver().machine.onInputEnd(call));
                return;
            }
            if (step == Feeder.Step.FULL) {
                blocks.feederWaits(true);
                if (!blocks.hasRoom() && !blocks.isClosed()) {
                    return;
                }
                blocks.feederWaits(false);
            }
        }
        feedSoon();
    }

    private void wakeConsumer() {
        VirtualConsumer takes = consumer;
        if (takes != null && takes.isParked() && !over) {
            takes.leaves();
            world.later(world.between(1_000, world.chance(0.01) ? 3_000_000_000L : 200_000), this::consume);
        }
    }

    private void consume() {
        VirtualConsumer takes = consumer;
        if (takes == null || over) {
            return;
        }
        VirtualConsumer.Step step = isMap() ? takes.collect() : takes.take();
        switch (step) {
            case PARKED -> takes.parks();
            case BUSY ->
                world.later(world.between(1_000, world.chance(0.02) ? 10_000_000_000L : 1_000_000), this::consume);
            case COMPLETE -> {
                world.tell(() -> script + " is complete");
                world.require(sink.isOver(), () -> script + " ends for its caller, and not for the pool");
                finish();
            }
            case FAILED -> {
                failed(takes.failure());
                cancelCall();
            }
            default -> throw new AssertionError(step);
        }
    }

    private void answered(ResultReader reader, Answer event) {
        if (over) {
            return;
        }
        if (event instanceof Answer.Block block) {
            try {
                Object value = reader.read(reader.open(block), block, block.firstIndex());
                world.require(
                        script.isResult(0, value) && script.isHarmless(), () -> script + " has the result " + value);
                finish();
            } catch (RemoteTaskException e) {
                failed(e);
            }
        } else if (event instanceof Answer.Refused refused) {
            failed(reader.refused(refused));
        } else if (event instanceof Answer.Broken broken) {
            failed(broken.thrown());
        }
    }

    /** A call fails for a cause that there is. */
    private void failed(RuntimeException failure) {
        world.tell(() -> script + " fails: " + failure);
        finish();
        boolean ended = session.pool.state() != PoolState.RUNNING;
        if (failure instanceof RemoteTaskException thrown) {
            int item = itemOf(thrown);
            world.require(
                    script.isThrower(item) || sink.isCancelled(),
                    () -> script + " fails by item " + item + ", which does not");
            world.require(
                    sink.isCancelled() || earlierFailures(failure) == script.earlierFailures(item, failure),
                    () -> "item " + item + " of " + script + " fails with " + earlierFailures(failure)
                            + " earlier failures");
        } else if (failure instanceof PoolClosedException
                || failure instanceof CancellationException
                || (failure instanceof FiberException && !(failure instanceof WorkerLostException))) {
            world.require(ended, () -> script + " fails in a pool that is open: " + failure);
        }
    }

    /** Returns how many earlier tries a failure tells of; those that threw alike are told once, with their number. */
    static int earlierFailures(Throwable failure) {
        return failure instanceof RemoteTaskException
                ? number(failure, "tried (\\d+) times") - 1
                : Stream.of(failure.getSuppressed())
                        .mapToInt(earlier -> number(earlier, ", (\\d+) times"))
                        .sum();
    }

    private static int number(Throwable failure, String pattern) {
        Matcher number = Pattern.compile(pattern).matcher(String.valueOf(failure.getMessage()));
        return number.find() ? Integer.parseInt(number.group(1)) : 1;
    }

    private static int itemOf(RemoteTaskException thrown) {
        String message = String.valueOf(thrown.getMessage());
        return Integer.parseInt(message.replaceFirst("(?s)^.*?Task (\\d+).*", "$1"));
    }

    /** Checks what must hold after each event. */
    public void check() {
        MachineInside.eachTry(call, script::seenTry);
        if (consumer != null && blocks == null && !isMap() && !over) {
            consumer.checkMemory(sink.values(), script.items() - source.known());
        }
    }

    /** Checks what must hold when the pool is gone: the caller knows, and nothing of the call is kept. */
    public void checkEnd() {
        world.require(over, () -> script + " never ended for its caller, with " + sink.answered() + " answers");
        world.require(
                sink.isOver() || sink.isCancelled(),
                () -> script + " never ended, with " + sink.answered() + " answers");
        world.require(!function.isInUse(), () -> "the function of " + script + " is kept");
        world.require(!MachineInside.hasChunks(call), () -> "chunks of " + script + " are kept");
    }
}
