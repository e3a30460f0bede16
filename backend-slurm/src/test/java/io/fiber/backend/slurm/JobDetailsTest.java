// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.slurm.JobDetails.Share;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines as Slurm 22.05 wrote them, with less between their parts. */
class JobDetailsTest {

    private static final String NODE = "NodeName=n1 CoresPerSocket=4 CPUTot=8 Sockets=1 State=MIXED ThreadsPerCore=2\n";

    @Test
    void coresAreCountedWhereTheyHaveTwoThreads() {
        String job =
                "JobId=2 NodeList=n1 NumNodes=1 NumCPUs=4 NumTasks=4 CPUs/Task=1 ReqB:S:C:T=0:0:*:* JOB_GRES=(null)  "
                        + " Nodes=n1 CPU_IDs=0-3 Mem=1800 GRES= MinCPUsNode=1\n";

        assertThat(JobDetails.parse(job, NODE))
                .isEqualTo(new JobDetails(OptionalInt.of(4), 2, List.of(new Share(1, 2, 1800, Map.of()))));
    }

    @Test
    void jobThatUsesOneThreadOfEachCoreHasItsCores() {
        String job =
                "JobId=3 NumCPUs=8 NumTasks=4 ReqB:S:C:T=0:0:*:1 Nodes=n1 CPU_IDs=0-7 Mem=1800 GRES= MinCPUsNode=1";

        assertThat(JobDetails.parse(job, NODE))
                .isEqualTo(new JobDetails(OptionalInt.of(4), 1, List.of(new Share(1, 4, 1800, Map.of()))));
    }

    /** Nodes with {@code CPUs=4}, of four cores of two threads: Slurm numbers the threads, and counts the cores. */
    @Test
    void coreThatCountsAsOneProcessorIsOne() {
        String job =
                "JobId=33 NumCPUs=4 NumTasks=4 ReqB:S:C:T=0:0:*:* Nodes=n1 CPU_IDs=0-7 Mem=1800 GRES= MinCPUsNode=1";

        assertThat(JobDetails.parse(job, NODE.replace("CPUTot=8", "CPUTot=4")))
                .isEqualTo(new JobDetails(OptionalInt.of(4), 1, List.of(new Share(1, 4, 1800, Map.of()))));
    }

    @Test
    void nodesOfDifferentSharesAndTheirResourcesAreRead() {
        String job = "JobId=9 NumTasks=5 ReqB:S:C:T=0:0:*:*   Nodes=n[1-2],m7 CPU_IDs=0-1,4 Mem=600"
                + " GRES=gpu:a100:1(IDX:0),scratch(CNT:2)   Nodes=n3 CPU_IDs=0 Mem=0 GRES= MinCPUsNode=1";

        JobDetails given = JobDetails.parse(job, NODE.replace("ThreadsPerCore=2", "ThreadsPerCore=1"));
        assertThat(given.shares())
                .containsExactly(
                        new Share(3, 3, 600, Map.of("gpu", 1, "gpu:a100", 1, "scratch", 2)),
                        new Share(1, 1, 0, Map.of()));
        assertThat(given.fitting(1)).isEqualTo(10);
        assertThat(given.fitting(2)).isEqualTo(3);
        assertThat(given.allOf("gpu")).isEqualTo(3);
        assertThat(given.mostOf("scratch")).isEqualTo(2);
        assertThat(given.mostOf("gpu:h100")).isZero();
    }

    @ParameterizedTest
    @CsvSource({"n1, 1", "'n[1-3,7]', 4", "'a1,b[2-3]', 3", "'r[0-1]n[01-10]', 20", "'[0-3,8]', 5"})
    void namesOfNodesAreCounted(String expression, int count) {
        assertThat(JobDetails.count(expression)).isEqualTo(count);
    }

    @Test
    void resourcesAreReadAsUsersWriteThem() {
        assertThat(JobDetails.gres("gpu:1,gpu:a100:2")).isEqualTo(Map.of("gpu", 3, "gpu:a100", 2));
        assertThat(JobDetails.gres("gpu")).isEqualTo(Map.of("gpu", 1));
        assertThat(JobDetails.gres("gpu:a100")).isEqualTo(Map.of("gpu", 1, "gpu:a100", 1));
        assertThat(JobDetails.gres("")).isEmpty();
    }

    @Test
    void answerThatSaysNothingIsUnknown() {
        assertThat(JobDetails.parse("", "")).isEqualTo(JobDetails.UNKNOWN);
    }
}
