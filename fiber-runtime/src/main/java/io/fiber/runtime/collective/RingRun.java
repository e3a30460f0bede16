// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import io.fiber.FiberException;
import io.fiber.PeerLostException;
import io.fiber.RemoteTaskException;
import io.fiber.RingFailedException;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.process.OutputLines;
import io.fiber.runtime.process.ProcessClient;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.ValueCodec;
import io.fiber.runtime.serialization.ValueName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run of a ring: it starts the members, waits until all have ended, and determines the result. Not thread-safe. */
final class RingRun {

    /** How long a member that only lost its neighbour waits until the neighbour is known to be the cause. */
    private static final long BLAME_LIMIT_NS = TimeUnit.SECONDS.toNanos(5);

    private static final long KILL_LIMIT_SECONDS = 10;

    /** A program can make causes that lead back to each other. */
    private static final int MOST_CAUSES = 100;

    private static final ValueName RESULT = new ValueName("the result", "a ring");

    private final String name;
    private final List<ProcessClient> members;
    private final RingRegistrar registrar;
    private final SessionContext context;
    private final BlockingQueue<Integer> ends = new LinkedBlockingQueue<>();
    private final BitSet ended = new BitSet();

    RingRun(String name, List<ProcessClient> members, RingRegistrar registrar, SessionContext context) {
        this.name = name;
        this.members = members;
        this.registrar = registrar;
        this.context = context;
    }

    List<@Nullable Object> run() {
        ProcessClient.beginTogether(members);
        try {
            watch();
            for (int i = 0; i < members.size(); i++) {
                int rank = ends.take();
                ended.set(rank);
                if (!hasDone(rank)) {
                    throw failure(culprit(rank));
                }
            }
            return results();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException("the end of ring '" + name + "'", e);
        } finally {
            endAll();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // no caller waits for what follows the end
    private void watch() {
        for (int rank = 0; rank < members.size(); rank++) {
            int ofMember = rank;
            members.get(rank).onExit().thenRun(() -> ends.add(ofMember));
        }
    }

    /** Returns whether the member has returned a value, and nothing failed afterwards. */
    private boolean hasDone(int rank) {
        return registrar.result(rank) != null && members.get(rank).exitCode().equals(OptionalInt.of(0));
    }

    /**
     * Returns the member that caused the failure. If a member has lost its neighbour, the neighbour's end is the cause,
     * and may become known later.
     */
    private int culprit(int first) throws InterruptedException {
        BitSet seen = new BitSet();
        int rank = first;
        while (true) {
            seen.set(rank);
            OptionalInt blamed = lostNeighbour(rank);
            if (blamed.isEmpty() || seen.get(blamed.getAsInt())) {
                return rank;
            }
            int next = blamed.getAsInt();
            if (!awaitEnd(next) || hasDone(next)) {
                return rank;
            }
            rank = next;
        }
    }

    private boolean awaitEnd(int rank) throws InterruptedException {
        long endNs = System.nanoTime() + BLAME_LIMIT_NS;
        while (!ended.get(rank)) {
            Integer other = ends.poll(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (other == null) {
                return false;
            }
            ended.set(other);
        }
        return true;
    }

    /** Returns the neighbour that a member has lost, even if the program has wrapped that exception in its own. */
    private OptionalInt lostNeighbour(int rank) {
        return members.get(rank).terminationFailure().stream()
                .flatMap(failure -> Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause))
                .limit(MOST_CAUSES)
                .filter(PeerLostException.class::isInstance)
                .mapToInt(lost -> ((PeerLostException) lost).rank())
                .findFirst();
    }

    private RingFailedException failure(int rank) {
        ProcessClient member = members.get(rank);
        Optional<FiberException> terminationFailure = member.terminationFailure();
        terminationFailure.ifPresent(RingRun::keepLinesOfProgram);
        String who = "Rank " + rank + " of ring '" + name + "' (" + members.size() + " members) ";
        String what = terminationFailure
                .map(problem -> "failed: " + problem.getMessage())
                .orElseGet(() -> "ended with exit code " + member.exitCode().orElse(0)
                        + (registrar.result(rank) == null ? ", before its function returned." : "."));
        boolean hasThrown =
                terminationFailure.filter(RemoteTaskException.class::isInstance).isPresent();
        String output = hasThrown ? OutputLines.ifAny(member.lastLines()) : OutputLines.describe(member.lastLines());
        return new RingFailedException(
                OutputLines.sentence(who + what) + " The other members were ended." + output,
                rank,
                member.lastLines(),
                terminationFailure.orElse(null));
    }

    /** Removes where Fiber ran the member and noticed its end, which is not useful to the program. */
    private static void keepLinesOfProgram(FiberException failure) {
        Throwable thrown = failure.getCause();
        if (!(failure instanceof RemoteTaskException) || thrown == null) {
            return;
        }
        failure.setStackTrace(new StackTraceElement[0]);
        StackTraceElement[] lines = thrown.getStackTrace();
        int kept = lines.length;
        while (kept > 0 && isBelowProgram(lines[kept - 1].getClassName())) {
            kept--;
        }
        thrown.setStackTrace(Arrays.copyOf(lines, kept));
    }

    private static boolean isBelowProgram(String holder) {
        return holder.startsWith("io.fiber.runtime.") || holder.equals(Thread.class.getName());
    }

    /** Kills the members that are still running; none survives the run, even if the thread is interrupted. */
    private void endAll() {
        boolean interrupted = Thread.interrupted();
        CompletableFuture<?>[] exits =
                members.stream().map(ProcessClient::onExit).toArray(CompletableFuture<?>[]::new);
        for (ProcessClient member : members) {
            if (!member.onExit().isDone()) {
                member.kill();
            }
        }
        try {
            CompletableFuture.allOf(exits).get(KILL_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (TimeoutException | ExecutionException e) {
            // The session ends them when it ends.
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private List<@Nullable Object> results() {
        Seals seals = context.process().seals();
        ValueCodec values = context.codecs().values();
        List<@Nullable Object> results = new ArrayList<>(members.size());
        for (int rank = 0; rank < members.size(); rank++) {
            SealedPayload payload = registrar.result(rank);
            String damaged = "The result of rank " + rank + " is damaged.";
            results.add(payload == null ? null : values.read(seals.read(payload, damaged), RESULT, rank));
        }
        return results;
    }
}
