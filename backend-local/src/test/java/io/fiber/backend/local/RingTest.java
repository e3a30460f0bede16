// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.Ring;
import io.fiber.RingMember;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Rings of real processes of this host: what {@link LocalRingTckTest} does not show. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RingTest {

    @RegisterExtension
    final SharedSession session = new SharedSession(this::builder);

    /** A little above 4 MiB of doubles: more than any frame or buffer holds, and odd. */
    private static final int LARGE = 600_001;

    @TempDir
    Path directory;

    /** Overridden where the same is shown over another medium. */
    FiberBuilder builder() {
        return LocalFiber.builder();
    }

    private static final class Warmed {
        private static volatile String with = "";
    }

    @Test
    void membersKnowTheirRanksAndHaveRunTheInitializer() {
        String file = directory.resolve("initialized").toString();
        Fiber fiber = session.fiber();
        Ring ring = fiber.ringBuilder(3)
                .name("trio")
                .environment(java.util.Map.of("RING_TEST", "yes"))
                .initializer(() -> {
                    Warmed.with = "an initializer";
                    LocalFiber.note(file, LocalFiber.pid());
                })
                .build();
        assertThat(ring.size()).isEqualTo(3);
        List<String> said = ring.call(member -> member.rank() + " of " + member.size() + " with " + Warmed.with
                + " and " + System.getenv("RING_TEST") + ", "
                + LocalFiber.notes(Path.of(file)).size() + " initialized");
        assertThat(said)
                .containsExactly(
                        "0 of 3 with an initializer and yes, 3 initialized",
                        "1 of 3 with an initializer and yes, 3 initialized",
                        "2 of 3 with an initializer and yes, 3 initialized");
        assertThat(fiber.activeChildren()).isEmpty();
    }

    @Test
    void allReduceGivesEachOfFourMembersTheSameResultOfAllFourKinds() {
        List<String> verdicts = session.fiber().ring(4).call(RingTest::reduceEverything);
        assertThat(verdicts).hasSize(4).containsOnly("exact");
    }

    private static String reduceEverything(RingMember member) {
        int n = member.size();
        long ranks = (long) n * (n + 1) / 2;
        for (int length : new int[] {0, 1, n - 1, n, n + 1, 1_001, LARGE}) {
            float[] floats = new float[length];
            double[] doubles = new double[length];
            int[] ints = new int[length];
            long[] longs = new long[length];
            for (int i = 0; i < length; i++) {
                floats[i] = (member.rank() + 1) * (i % 1_000);
                doubles[i] = (member.rank() + 1) * (i + 0.5);
                ints[i] = i ^ member.rank();
                longs[i] = (member.rank() + 1L) * (i + (1L << 40));
            }
            member.allReduce(floats, Float::sum);
            member.allReduce(doubles, Double::sum);
            member.allReduce(ints, Math::max);
            member.allReduce(longs, Long::sum);
            for (int i = 0; i < length; i++) {
                int greatest = 0;
                for (int rank = 0; rank < n; rank++) {
                    greatest = Math.max(greatest, i ^ rank);
                }
                if (floats[i] != ranks * (i % 1_000)
                        || doubles[i] != ranks * (i + 0.5)
                        || ints[i] != greatest
                        || longs[i] != ranks * (i + (1L << 40))) {
                    return "length " + length + ", element " + i + " of rank " + member.rank() + ": " + floats[i] + " "
                            + doubles[i] + " " + ints[i] + " " + longs[i];
                }
            }
        }
        return "exact";
    }

    @Test
    void aSumOfArbitraryFloatsIsTheSameBitForBitInAllMembers() {
        List<float[]> sums = session.fiber().ring(3).call(member -> {
            Random random = new Random(member.rank());
            float[] numbers = new float[10_000];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = random.nextFloat();
            }
            member.allReduce(numbers, Float::sum);
            return numbers;
        });
        assertThat(sums.get(1)).isEqualTo(sums.get(0));
        assertThat(sums.get(2)).isEqualTo(sums.get(0));
    }

    @Test
    void neighboursSendAndReceiveBesideTheOperationsOfAll() {
        List<String> heard = session.fiber().ring(3).call(member -> {
            member.next().send("from " + member.rank());
            int[] one = {1};
            member.allReduce(one, Integer::sum);
            String before = member.<String>previous().receive();
            member.previous().sendBytes(new byte[] {(byte) member.rank()});
            byte[] after = member.next().receiveBytes();
            return before + ", " + after[0] + ", " + one[0];
        });
        assertThat(heard).containsExactly("from 2, 1, 3", "from 0, 2, 3", "from 1, 0, 3");
    }

    @Test
    void aMemberAloneIsItsOwnNeighbour() {
        List<String> heard = session.fiber().ring(1).call(member -> {
            member.barrier();
            member.next().send(member.<String>broadcast(0, "echo"));
            return member.<String>previous().receive();
        });
        assertThat(heard).containsExactly("echo");
    }

    @Test
    void aBroadcastReachesAllFromAnyRoot() {
        List<String> ends = session.fiber().ring(3).call(member -> {
            List<Object> got = new ArrayList<>();
            for (int root = 0; root < member.size(); root++) {
                got.add(member.broadcast(root, root == member.rank() ? "value of " + root : null));
            }
            byte[] large = new byte[3_000_001];
            Arrays.fill(large, (byte) 7);
            byte[] copy = member.broadcast(1, member.rank() == 1 ? large : new byte[0]);
            got.add(member.<Object>broadcast(2, null));
            return got + " " + Arrays.equals(copy, large);
        });
        assertThat(ends).hasSize(3).containsOnly("[value of 0, value of 1, value of 2, null] true");
    }

    @Test
    void nobodyPassesABarrierBeforeAllHaveCome() {
        String file = directory.resolve("arrived").toString();
        List<Integer> seen = session.fiber().ring(4).call(member -> {
            for (int i = 0; i < 50; i++) {
                member.barrier();
            }
            LocalFiber.last(java.time.Duration.ofMillis(member.rank() * 100L));
            LocalFiber.note(file, member.rank());
            member.barrier();
            return LocalFiber.notes(Path.of(file)).size();
        });
        assertThat(seen).containsExactly(4, 4, 4, 4);
    }

    @Test
    void portsAreHeldUntilTheMembersOwnCodeTakesThem() {
        List<String> greetings = session.fiber().ring(2).call(RingTest::meetBySocket);
        assertThat(greetings).containsExactly("0 heard 1", "1 heard 0");
    }

    /** The neighbour connects while the socket is still held: the system keeps it waiting, and nobody else can listen. */
    private static String meetBySocket(RingMember member) throws Exception {
        InetSocketAddress mine = member.addresses().get(member.rank());
        InetSocketAddress other = member.addresses().get(1 - member.rank());
        assertThatThrownBy(() -> new ServerSocket(mine.getPort(), 1, mine.getAddress()).close())
                .isInstanceOf(java.net.BindException.class);
        try (Socket called = new Socket(other.getAddress(), other.getPort())) {
            called.getOutputStream().write(member.rank());
            try (ServerSocket held = member.takeServerSocket();
                    Socket accepted = held.accept()) {
                assertThatThrownBy(member::releasePort).isInstanceOf(IllegalStateException.class);
                return member.rank() + " heard " + accepted.getInputStream().read();
            }
        }
    }

    @Test
    void aReleasedPortCanBeOpenedByTheMembersOwnCode() {
        List<Boolean> opened = session.fiber().ring(2).call(member -> {
            InetAddress host = member.addresses().get(member.rank()).getAddress();
            int port = member.releasePort();
            try (ServerSocket own = new ServerSocket(port, 1, host)) {
                member.barrier();
                return own.isBound();
            }
        });
        assertThat(opened).containsExactly(true, true);
    }

    @Test
    void aRingRunsAgainWithNewProcesses() {
        Ring ring = session.fiber().ring(2);
        List<Long> first = ring.call(member -> LocalFiber.pid());
        List<Long> second = ring.call(member -> LocalFiber.pid());
        assertThat(second).doesNotContainAnyElementsOf(first);
    }
}
