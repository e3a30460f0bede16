// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.runtime.simulation.World;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Watches which call gives the next chunk: while items of one wait, no other may go before it again and again. */
public final class FairTurns {

    private static final int MOST_TURNS = 3;

    private final World world;
    private final List<Watched> open = new ArrayList<>();

    /** Creates a watch over the calls of a world. */
    public FairTurns(World world) {
        this.world = world;
    }

    /** Returns a source that tells of its turns. */
    public Source watch(Source source, CallSink sink) {
        return new Watched(source, sink);
    }

    /** The pool has taken the call of a source that is watched. */
    public void opened(Source source) {
        if (source instanceof Watched watched) {
            open.add(watched);
        }
    }

    private final class Watched implements Source {
        private final Source source;
        private final CallSink sink;
        private final IdentityHashMap<Watched, Integer> overtaken = new IdentityHashMap<>();
        private @Nullable Call asked;

        Watched(Source source, CallSink sink) {
            this.source = source;
            this.sink = sink;
        }

        @Override
        public @Nullable Chunk next(Call call, int atMost, long nowNs) {
            asked = call;
            Chunk chunk = source.next(call, atMost, nowNs);
            overtaken.clear();
            if (chunk != null) {
                world.require(
                        sink.hasRoom(), () -> "items are taken from a call, and there is no room for their results");
                open.forEach(other -> other.isOvertakenBy(this));
            }
            return chunk;
        }

        private void isOvertakenBy(Watched winner) {
            if (winner == this || source.known() == 0 || !sink.hasRoom() || isTried() || isDoubted()) {
                overtaken.remove(winner);
                return;
            }
            int times = overtaken.merge(winner, 1, Integer::sum);
            world.require(
                    times <= MOST_TURNS, () -> "a call has waited for " + times + " turns of another, and has items");
        }

        private boolean isTried() {
            return asked != null && Trials.mayWait(asked, world.nowNs());
        }

        /** One chunk of it at a time runs, alone. */
        private boolean isDoubted() {
            return asked != null && asked.isDoubted();
        }

        @Override
        public boolean isExhausted() {
            return source.isExhausted();
        }

        @Override
        public long known() {
            return source.known();
        }

        @Override
        public void suggest(int items) {
            source.suggest(items);
        }

        @Override
        public void close() {
            open.remove(this);
            source.close();
        }
    }
}
