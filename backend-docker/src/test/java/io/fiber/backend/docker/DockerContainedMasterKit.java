// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The program is itself a container, beside those of its workers. {@link DockerEngineTest} runs it beside a real engine. */
class DockerContainedMasterKit {

    private static final int ROOT = 0;

    @AfterEach
    void nothingIsLeft() {
        DockerFixture.assertNothingLeft();
    }

    /** The program. */
    static final class Master {
        private Master() {}

        public static void main(String[] arguments) {
            try (Fiber fiber = KitFiber.builder().open();
                    Pool pool = fiber.pool(2)) {
                int sum = pool.map(DockerPoolKit::slow, IntStream.range(0, 200)).stream()
                        .mapToInt(each -> each)
                        .sum();
                System.out.println("sum " + sum + ", " + pool.apply(DockerPoolKit::sum, new byte[60_000]));
            }
        }
    }

    @Test
    void programInAContainerWithDockersSocketHasContainersAsWorkers() {
        assertThat(MasterContainer.run(Master.class, ROOT)).contains("sum 19900, 0");
    }
}
