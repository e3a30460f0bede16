// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fiber.Fiber;
import io.fiber.PeerLostException;
import io.fiber.RemoteTaskException;
import io.fiber.RingFailedException;
import io.fiber.WaitInterruptedException;
import io.fiber.tck.fault.Signal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rings whose members fail: the caller gets the first cause, and no member stays. */
@Tag("slow")
class RingDeathsTest {

    @TempDir
    Path directory;

    private void assertNobodyIsLeft(Path pids) {
        LocalFiber.notes(pids).forEach(pid -> LocalSession.assertGone(Long.parseLong(pid)));
    }

    private static RingFailedException failureOf(Runnable run) {
        RingFailedException failure = catchThrowableOfType(RingFailedException.class, run::run);
        assertThat(failure).as("the failure of the ring").isNotNull();
        return failure;
    }

    @Test
    void anExceptionOfOneMemberEndsTheRingAndArrivesWithItsStack() {
        Path pids = directory.resolve("pids");
        String file = pids.toString();
        try (Fiber fiber = LocalFiber.open()) {
            RingFailedException failure = failureOf(() -> fiber.ring(3).run(member -> {
                LocalFiber.note(file, LocalFiber.pid());
                float[] gradient = new float[100_000];
                for (int round = 0; ; round++) {
                    if (round == 5 && member.rank() == 1) {
                        System.out.println("about to give up");
                        throw new IllegalArgumentException("the loss is not a number");
                    }
                    member.allReduce(gradient, Float::sum);
                }
            }));
            assertThat(failure.rank()).isEqualTo(1);
            assertThat(failure)
                    .hasMessageStartingWith("FBR-460 Rank 1 of ring 'ring-1' (3 members) failed: FBR-401 Process"
                            + " 'ring-1-rank-1' threw java.lang.IllegalArgumentException: the loss is not a number."
                            + " The other members were ended.")
                    .hasMessageContaining("about to give up")
                    .hasRootCauseInstanceOf(IllegalArgumentException.class);
            assertThat(failure.getCause()).isInstanceOf(RemoteTaskException.class);
            assertThat(((RemoteTaskException) failure.getCause()).remoteStackTrace())
                    .contains("RingDeathsTest");
            // What is printed is short: neither the members' traces nor the lines of Fiber's own below the program.
            assertThat(failure.lastLogLines()).containsExactly("about to give up");
            assertThat(failure.getCause().getStackTrace()).isEmpty();
            assertThat(Objects.requireNonNull(failure.getCause().getCause()).getStackTrace())
                    .isNotEmpty()
                    .allMatch(line -> line.getClassName().equals(RingDeathsTest.class.getName()));
            assertNobodyIsLeft(pids);
            assertThat(fiber.activeChildren()).isEmpty();
        }
    }

    @Test
    void anExitOfOneMemberEndsTheRing() {
        Path pids = directory.resolve("pids");
        String file = pids.toString();
        try (Fiber fiber = LocalFiber.open()) {
            RingFailedException failure = failureOf(() -> fiber.ring(3).run(member -> {
                LocalFiber.note(file, LocalFiber.pid());
                member.barrier();
                if (member.rank() == 2) {
                    System.out.println("leaves");
                    System.exit(3);
                }
                member.barrier();
            }));
            assertThat(failure.rank()).isEqualTo(2);
            assertThat(failure)
                    .hasMessageStartingWith(
                            "FBR-460 Rank 2 of ring 'ring-1' (3 members) ended with exit code 3, before its function"
                                    + " returned. The other members were ended. Its last lines:")
                    .hasNoCause();
            assertThat(failure.lastLogLines()).contains("leaves");
            assertNobodyIsLeft(pids);
        }
    }

    @Test
    void aMemberThatReturnsEarlyIsTheCauseThatItsNeighbourNames() {
        try (Fiber fiber = LocalFiber.open()) {
            RingFailedException failure = failureOf(() -> fiber.ring(2).run(member -> {
                member.barrier();
                if (member.rank() == 0) {
                    member.barrier();
                }
            }));
            assertThat(failure.rank()).isZero();
            assertThat(failure)
                    .hasMessageContaining("FBR-461 Rank 1, a neighbour of rank 0 of ring 'ring-1', is gone")
                    .hasRootCauseInstanceOf(io.fiber.EndOfStreamException.class);
        }
    }

    @Test
    void aNeighbourThatIsGoneIsNamedWhereItWasWaitedFor() {
        try (Fiber fiber = LocalFiber.open()) {
            List<String> seen = fiber.ring(2).call(member -> {
                if (member.rank() == 0) {
                    member.next().send("the last word");
                    return "left";
                }
                String last = member.<String>previous().receive();
                try {
                    return member.<String>previous().receive();
                } catch (PeerLostException e) {
                    return last + ", " + e.code() + " " + e.rank();
                }
            });
            assertThat(seen).containsExactly("left", "the last word, FBR-461 0");
        }
    }

    /** Each names the other, so that the search for the first cause must not go round. */
    @Test
    void membersThatHaveLostEachOtherEndTheRing() {
        try (Fiber fiber = LocalFiber.open()) {
            RingFailedException failure = failureOf(() -> fiber.ring(2).run(member -> {
                member.next().close();
                member.previous().receive();
            }));
            assertThat(failure)
                    .hasMessageContaining(
                            "FBR-461 Rank " + (1 - failure.rank()) + ", a neighbour of rank " + failure.rank());
        }
    }

    @Test
    void membersThatEachBroadcastTheirOwnAreTold() {
        try (Fiber fiber = LocalFiber.open()) {
            RingFailedException failure =
                    failureOf(() -> fiber.ring(2).run(member -> member.broadcast(member.rank(), new byte[32 << 20])));
            assertThat(failure)
                    .hasMessageContaining("FBR-462 The members of ring 'ring-1' run different operations: rank ")
                    .hasMessageContaining("broadcast from rank 0 (operation 1)")
                    .hasMessageContaining("broadcast from rank 1 (operation 1)");
        }
    }

    @Test
    void anOperatorThatThrowsFailsItsMember() {
        try (Fiber fiber = LocalFiber.open()) {
            RingFailedException failure = failureOf(() -> fiber.ring(2)
                    .run(member -> member.allReduce(new long[] {1, 2, 3}, (left, right) -> {
                        throw new ArithmeticException("no sum");
                    })));
            assertThat(failure).hasMessageContaining("java.lang.ArithmeticException: no sum");
        }
    }

    @Test
    void anInterruptOfTheCallerEndsAllMembers() {
        Path pids = directory.resolve("pids");
        String file = pids.toString();
        try (Fiber fiber = LocalFiber.open()) {
            Thread caller = Thread.currentThread();
            Thread impatient = new Thread(() -> {
                LocalFiber.awaitNotes(pids, 2);
                caller.interrupt();
            });
            impatient.start();
            assertThatThrownBy(() -> fiber.ring(2).run(member -> {
                        LocalFiber.note(file, LocalFiber.pid());
                        LocalFiber.last(Duration.ofMinutes(5));
                    }))
                    .isInstanceOf(WaitInterruptedException.class);
            assertThat(LocalFiber.notes(pids)).noneMatch(pid -> Signal.isRunning(Long.parseLong(pid)));
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aRingOfNoneIsRefused() {
        try (Fiber fiber = LocalFiber.open()) {
            assertThatThrownBy(() -> fiber.ring(0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("FBR-305 size is 0; expected at least 1, for example ring(8).");
        }
    }
}
