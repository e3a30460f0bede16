// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.RingMember;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the members of a ring do together. */
abstract class RingOperationsContract extends SessionContract {

    private static final int MEMBERS = 3;
    /** More than any frame or buffer holds. */
    private static final int LARGE = 300_001;

    private static final class Initialized {
        private static volatile String with = "";
    }

    @Test
    void membersAreProcessesOfTheirOwnWithRanksThatRanTheInitializer() {
        List<List<String>> said = fiber().ringBuilder(MEMBERS)
                .initializer(() -> Initialized.with = "yes")
                .build()
                .call(member -> List.of(
                        member.rank() + " of " + member.size(),
                        Initialized.with,
                        Fiber.current().currentProcess().id() + " on "
                                + member.addresses().get(member.rank())));
        assertThat(said).extracting(each -> each.get(0)).containsExactly("0 of 3", "1 of 3", "2 of 3");
        assertThat(said).extracting(each -> each.get(1)).containsOnly("yes");
        assertThat(said).extracting(each -> each.get(2)).doesNotHaveDuplicates();
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
                longs[i] = (member.rank() + 1L) * i;
                doubles[i] = (member.rank() + 1.0) * i;
                floats[i] = (member.rank() + 1) * (i % 100);
                ints[i] = member.rank() * i;
            }
            member.allReduce(longs, Long::sum);
            member.allReduce(doubles, Double::sum);
            member.allReduce(floats, Float::sum);
            member.allReduce(ints, Math::max);
            for (int i = 0; i < length; i++) {
                if (longs[i] != (long) ranks * i
                        || doubles[i] != (double) ranks * i
                        || floats[i] != ranks * (i % 100)
                        || ints[i] != (member.size() - 1) * i) {
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
            String value = member.broadcast(1, member.rank() == 1 ? "of one" : "");
            member.barrier();
            return member.<Integer>previous().receive() + " " + value;
        });
        assertThat(heard).containsExactly("2 of one", "0 of one", "1 of one");
    }

    @Test
    void reservedPortsCanBeReachedByTheOthers() {
        List<Integer> heard = fiber().ring(2).call(member -> {
            try (Socket called = new Socket()) {
                called.connect(member.addresses().get(1 - member.rank()), (int) LIMIT.toMillis());
                called.getOutputStream().write(member.rank());
                try (ServerSocket held = member.takeServerSocket();
                        Socket accepted = held.accept()) {
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
