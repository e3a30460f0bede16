// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.FiberQueue;
import io.fiber.Ring;
import io.fiber.RingMember;
import io.fiber.SerializationException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Collective operations of a ring. */
abstract class RingOperationsContract extends SessionContract {

    private static final int MEMBERS = 3;
    /** More than any frame or buffer holds. */
    private static final int LARGE = 300_001;

    private static final int LARGE_BYTES = 3_000_001;

    private static final class Initialized {
        private static volatile String with = "";
    }

    @Test
    void membersAreProcessesOfTheirOwnWithRanksThatRanTheInitializer() {
        FiberQueue<String> initialized = fiber().queue();
        Ring ring = fiber().ringBuilder(MEMBERS)
                .environment(Map.of("FIBER_TCK_RING", "yes"))
                .initializer(() -> {
                    Initialized.with = "an initializer";
                    initialized.put("one");
                })
                .build();
        assertThat(ring.size()).isEqualTo(MEMBERS);
        List<List<String>> said = ring.call(member -> List.of(
                member.rank() + " of " + member.size(),
                Initialized.with + " and " + System.getenv("FIBER_TCK_RING") + ", " + initialized.size(),
                Fiber.current().currentProcess().id() + " on "
                        + member.addresses().get(member.rank())));
        assertThat(said).extracting(each -> each.get(0)).containsExactly("0 of 3", "1 of 3", "2 of 3");
        assertThat(said).extracting(each -> each.get(1)).containsOnly("an initializer and yes, " + MEMBERS);
        assertThat(said).extracting(each -> each.get(2)).doesNotHaveDuplicates();
        assertThat(fiber().activeChildren()).isEmpty();
    }

    @Test
    void allReduceCombinesArraysOfAnyLength() {
        for (int members = 1; members <= MEMBERS; members++) {
            assertThat(fiber().ring(members).call(RingOperationsContract::reduce))
                    .containsOnly("exact");
        }
    }

    private static String reduce(RingMember member) {
        int ranks = member.size() * (member.size() + 1) / 2;
        for (int length : new int[] {0, 1, 2, 3, 4, 17, LARGE}) {
            long[] longs = new long[length];
            double[] doubles = new double[length];
            float[] floats = new float[length];
            int[] ints = new int[length];
            for (int i = 0; i < length; i++) {
                longs[i] = (member.rank() + 1L) * (i + (1L << 40));
                doubles[i] = (member.rank() + 1) * (i + 0.5);
                floats[i] = (member.rank() + 1) * (i % 1_000);
                ints[i] = i ^ member.rank();
            }
            member.allReduce(longs, Long::sum);
            member.allReduce(doubles, Double::sum);
            member.allReduce(floats, Float::sum);
            member.allReduce(ints, Math::max);
            for (int i = 0; i < length; i++) {
                int greatest = 0;
                for (int rank = 0; rank < member.size(); rank++) {
                    greatest = Math.max(greatest, i ^ rank);
                }
                if (longs[i] != ranks * (i + (1L << 40))
                        || doubles[i] != ranks * (i + 0.5)
                        || floats[i] != ranks * (i % 1_000)
                        || ints[i] != greatest) {
                    return "element " + i + " of " + length + " at rank " + member.rank();
                }
            }
        }
        return "exact";
    }

    @Test
    void valuesAreBroadcastAndNeighboursTalk() {
        List<String> heard = fiber().ring(MEMBERS).call(member -> {
            member.next().send(member.rank());
            String values = "";
            for (int root = 0; root < member.size(); root++) {
                values += " " + member.broadcast(root, root == member.rank() ? "of " + root : null);
            }
            byte[] large = new byte[LARGE_BYTES];
            Arrays.fill(large, (byte) 7);
            byte[] copy = member.broadcast(1, member.rank() == 1 ? large : new byte[0]);
            values += " " + member.<Object>broadcast(2, null) + " " + Arrays.equals(copy, large);
            int[] one = {1};
            member.allReduce(one, Integer::sum);
            int before = member.<Integer>previous().receive();
            member.previous().sendBytes(new byte[] {(byte) member.rank()});
            return before + " " + member.next().receiveBytes()[0] + " " + one[0] + values;
        });
        String same = " 3 of 0 of 1 of 2 null true";
        assertThat(heard).containsExactly("2 1" + same, "0 2" + same, "1 0" + same);
    }

    @Test
    void failedBroadcastDoesNotCount() {
        assertThat(fiber().ring(MEMBERS).call(member -> {
                    String failed = "";
                    if (member.rank() == 0) {
                        try {
                            member.broadcast(0, new Object());
                        } catch (SerializationException e) {
                            failed = "first failed, ";
                        }
                    }
                    return failed + member.broadcast(0, member.rank() == 0 ? "then sent" : null);
                }))
                .containsExactly("first failed, then sent", "then sent", "then sent");
    }

    @Test
    void reservedPortsCanBeReachedByTheOthers() {
        List<Integer> heard = fiber().ring(2).call(member -> {
            InetSocketAddress mine = member.addresses().get(member.rank());
            assertThatThrownBy(() -> new ServerSocket(mine.getPort(), 1, mine.getAddress()).close())
                    .as("what another socket is told at a reserved port")
                    .isInstanceOf(BindException.class);
            try (Socket called = new Socket()) {
                called.connect(member.addresses().get(1 - member.rank()), (int) LIMIT.toMillis());
                called.getOutputStream().write(member.rank());
                try (ServerSocket held = member.takeServerSocket();
                        Socket accepted = held.accept()) {
                    assertThatThrownBy(member::releasePort).isInstanceOf(IllegalStateException.class);
                    return accepted.getInputStream().read();
                }
            }
        });
        assertThat(heard).containsExactly(1, 0);
    }

    @Test
    void aMemberHasRingsOfItsOwn() {
        List<Integer> sums = fiber().ring(2).call(member -> {
            int base = member.rank() * 10;
            return Fiber.current()
                    .ring(2)
                    .call(inner -> {
                        int[] sum = {base + inner.rank()};
                        inner.allReduce(sum, Integer::sum);
                        return sum[0];
                    })
                    .get(1);
        });
        assertThat(sums).containsExactly(1, 21);
    }
}
