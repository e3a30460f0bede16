// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.ExitCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EntryLimitTest {

    private static final long SECOND = 1_000_000_000;

    private boolean letIn;
    private final List<Integer> exits = new ArrayList<>();
    private final EntryLimit limit = new EntryLimit(
            Duration.ofSeconds(25),
            new MasterRoute("master", "aeron", "10.1.0.5:40123", List::of),
            () -> letIn,
            exits::add);

    private void cycles(long fromSecond, long toSecond) {
        for (long tenth = 10 * fromSecond; tenth <= 10 * toSecond; tenth++) {
            limit.doWork(tenth * SECOND / 10);
        }
    }

    private void everySecond(long fromSecond, long toSecond) {
        for (long second = fromSecond; second <= toSecond; second++) {
            limit.doWork(second * SECOND);
        }
    }

    @Test
    void workerThatIsNotLetInEndsOnceAfterItsLease() {
        cycles(-10, 15);
        assertThat(exits).isEmpty();

        cycles(16, 16);
        assertThat(exits).containsExactly(ExitCode.MASTER_LOST.code());

        cycles(17, 200);
        assertThat(exits).containsExactly(ExitCode.MASTER_LOST.code());
    }

    @Test
    void errorNamesWhatWasDialledAndFromWhere() {
        assertThat(new MasterRoute("main", "aeron", "10.1.0.5:40123 (UDP)", () -> List.of("aeron", "socket"))
                        .isShut(20_000))
                .startsWith("FBR-157 the master 'main' at 10.1.0.5:40123 (UDP) did not accept this worker within"
                        + " 20000 ms, so the worker ends. It dialled from ")
                .contains(" with the addresses [")
                .endsWith("]. If the master is alive, this host cannot reach that address, or gets no answer from it."
                        + " Open these ports in the firewalls between the two hosts (fiber.aeron.port-range sets"
                        + " them), or set fiber.advertised-address to an address of the master that this host can"
                        + " reach. If firewalls block this transport, set fiber.transport to socket. 'fiber doctor'"
                        + " tests which protocols get through.");
        assertThat(new MasterRoute("main", "aeron", "10.1.0.5:40123 (UDP)", () -> List.of("aeron")).isShut(20_000))
                .endsWith("an address of the master that this host can reach.");
    }

    @Test
    void workerThatWasLetInHasNoLimitHere() {
        cycles(0, 24);
        letIn = true;
        cycles(25, 25);
        letIn = false;
        cycles(26, 200);

        assertThat(exits).isEmpty();
    }

    @Test
    void timeInWhichItWasStoppedDoesNotCount() {
        cycles(0, 5);
        cycles(605, 624);
        assertThat(exits).isEmpty();

        cycles(625, 626);
        assertThat(exits).containsExactly(ExitCode.MASTER_LOST.code());
    }

    @Test
    void timeInWhichOthersHadTheProcessorDoesNotCount() {
        everySecond(0, 50);
        cycles(50, 69);
        assertThat(exits).isEmpty();

        cycles(70, 71);
        assertThat(exits).containsExactly(ExitCode.MASTER_LOST.code());
    }

    @Test
    void whoIsKeptWaitingAgainAndAgainEndsAfterThreeTimesItsLimit() {
        everySecond(0, 75);
        assertThat(exits).isEmpty();

        everySecond(76, 76);
        assertThat(exits).containsExactly(ExitCode.MASTER_LOST.code());
    }

    @Test
    void shortLeaseGivesTheMasterTwentySeconds() {
        assertThat(EntryLimit.of(Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(20));
        assertThat(EntryLimit.of(Duration.ofMinutes(2))).isEqualTo(Duration.ofMinutes(2));
    }
}
