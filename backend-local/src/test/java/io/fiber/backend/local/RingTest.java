// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.FiberBuilder;
import io.fiber.Ring;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Rings of real processes of this host: what {@link LocalRingTckTest} does not show. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RingTest {

    @RegisterExtension
    final SharedSession session = new SharedSession(this::builder);

    @TempDir
    Path directory;

    /** Overridden where the same is shown over another medium. */
    FiberBuilder builder() {
        return LocalFiber.builder();
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
    void aMemberAloneIsItsOwnNeighbour() {
        List<String> heard = session.fiber().ring(1).call(member -> {
            member.barrier();
            member.next().send(member.<String>broadcast(0, "echo"));
            return member.<String>previous().receive();
        });
        assertThat(heard).containsExactly("echo");
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
