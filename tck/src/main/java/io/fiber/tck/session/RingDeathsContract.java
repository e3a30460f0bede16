// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fiber.FiberException;
import io.fiber.FiberQueue;
import io.fiber.RingFailedException;
import io.fiber.RingMember;
import io.fiber.function.RemoteConsumer;
import org.junit.jupiter.api.Test;

/** The failure of a member ends the ring, and its cause reaches the caller. */
abstract class RingDeathsContract extends SessionContract {

    private RingFailedException failureOf(RemoteConsumer<RingMember> program) {
        RingFailedException failure = catchThrowableOfType(
                RingFailedException.class, () -> fiber().ring(3).run(program));
        assertThat(failure).as("the failure of the ring").isNotNull();
        assertThat(fiber().activeChildren()).as("members that go on").isEmpty();
        return failure;
    }

    @Test
    void anExceptionArrivesWithItsRank() {
        RingFailedException failure = failureOf(member -> {
            member.barrier();
            if (member.rank() == 1) {
                throw new IllegalStateException("out of ideas");
            }
            member.barrier();
        });
        assertThat(failure.rank()).isEqualTo(1);
        assertThat(failure)
                .hasMessageStartingWith("FBR-460 Rank 1 of ring ")
                .hasMessageContaining("java.lang.IllegalStateException: out of ideas");
    }

    @Test
    void aSuddenDeathInTheMiddleOfAnAllReduceIsNoticed() {
        RingFailedException failure = failureOf(member -> {
            double[] numbers = new double[1 << 17];
            for (int round = 0; ; round++) {
                if (round == 3 && member.rank() == 2) {
                    die();
                }
                member.allReduce(numbers, Double::sum);
            }
        });
        assertThat(failure.rank()).isEqualTo(2);
        assertThat(failure)
                .hasMessageStartingWith("FBR-460 Rank 2 of ring ")
                .hasMessageContaining("ended with exit code 9, before its function returned");
    }

    @Test
    void anInitializerThatFailsEndsTheRingBeforeAnyFunctionBegins() {
        FiberQueue<Integer> begun = fiber().queue();
        RingFailedException failure = catchThrowableOfType(
                RingFailedException.class,
                () -> fiber().ringBuilder(2)
                        .name("doomed")
                        .initializer(() -> {
                            throw new IllegalStateException("no model here");
                        })
                        .build()
                        .run(member -> begun.put(member.rank())));
        assertThat(failure)
                .hasMessageContaining("of ring 'doomed' (2 members) failed: FBR-401")
                .hasMessageContaining("java.lang.IllegalStateException: no model here");
        assertThat(begun.poll()).isEmpty();
    }

    @Test
    void membersThatDoNotDoTheSameAreTold() {
        RingFailedException failure = failureOf(member -> {
            member.barrier();
            member.allReduce(new int[member.rank() + 3], Integer::sum);
        });
        assertThat(failure)
                .hasMessageContaining("FBR-462 The members of ring ")
                .hasMessageContaining(" run different operations: rank ")
                .hasMessageContaining("allReduce of int[")
                .hasMessageContaining("] (operation 2)")
                .hasRootCauseInstanceOf(FiberException.class);
    }
}
