// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spec.Secret;
import io.fiber.spi.backend.Submission;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobNamesTest {

    @Test
    void aNameBeginsWithTheNameOfTheWorkerThatAsks() {
        assertThat(RemoteJobServer.nameOf("p1-pool-1-2", "process-3")).isEqualTo("p1-pool-1-2-process-3");
    }

    @Test
    void namesOfAnyDepthAreLegalAndDiffer() {
        Set<String> names = new HashSet<>();
        String one = "process-1";
        String other = "process-2";
        for (int depth = 0; depth < 50; depth++) {
            one = RemoteJobServer.nameOf(one, "process-1");
            other = RemoteJobServer.nameOf(other, "process-1");
            assertThat(names.add(new Submission.Instance(one, Secret.empty()).name()))
                    .isTrue();
            assertThat(names.add(new Submission.Instance(other, Secret.empty()).name()))
                    .isTrue();
        }
        assertThat(one).endsWith("-process-1").hasSize(63);
    }
}
