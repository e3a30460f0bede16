// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.backend.support.batch.BatchBackend;
import io.fiber.backend.support.batch.Commands.Answer;
import io.fiber.backend.support.batch.LocalFiles;
import io.fiber.backend.support.batch.NotedCommands;
import io.fiber.backend.support.batch.SharedFiles;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.backend.TooManyJobsException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Submissions that Slurm refuses while nodes are left out, or does not answer. */
class SlurmQueueTest {

    private static final Answer REFUSED = new Answer(
            1, "", "sbatch: error: Batch job submission failed: Requested node configuration is not available");

    private static final String SESSION = "abcdefghij01";

    private final Deque<Answer> answers = new ArrayDeque<>();
    private final List<String> scripts = new ArrayList<>();
    private boolean isAway;
    private final Slurm slurm = new Slurm(
            command -> {
                if (!command.program().equals("sbatch")) {
                    return new Answer(0, "MaxArraySize = 1000\n", "");
                }
                scripts.add(command.input());
                isAway = answers.isEmpty();
                requireThere();
                return answers.remove();
            },
            Optional.empty(),
            SlurmFixture.COMMAND_LIMIT);

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private BatchBackend backend;

    private void open(Map<String, String> options) {
        JobScript script = new JobScript(
                SiteOptions.of(SlurmFixture.options(options)), Path.of("/home/me/project"), slurm.badNodes(), true);
        NotedCommands none = new NotedCommands(command -> new Answer(0, "", ""), SlurmBackendProvider.SHOWN);
        backend = new ScriptedHost(none, files(), directory, new ArrayList<>())
                .open(new SlurmQueue(slurm, script, Optional.empty(), SESSION), SESSION);
    }

    private void requireThere() {
        if (isAway) {
            throw new BackendUnavailableException("FBR-150 The login node cannot be reached.");
        }
    }

    /** Files of a host that may be away. */
    private SharedFiles files() {
        SharedFiles local = new LocalFiles();
        return (SharedFiles) Proxy.newProxyInstance(
                SharedFiles.class.getClassLoader(), new Class<?>[] {SharedFiles.class}, (self, method, words) -> {
                    try {
                        requireThere();
                        return method.invoke(local, words);
                    } catch (BackendUnavailableException e) {
                        throw new IOException(e.getMessage(), e);
                    }
                });
    }

    @AfterEach
    void leave() {
        backend.handOver();
    }

    private List<Job> launch() {
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("true"))).build();
        return backend.submit(Submission.of(spec, "worker-0", Secret.empty()), event -> {});
    }

    private void blame(String node) {
        List<QueueRow> rows = List.of(
                new QueueRow("7_2", "RUNNING", 0, "None", "good"),
                new QueueRow("7_0", "FAILED", 127 << 8, "NonZeroExitCode", node),
                new QueueRow("7_1", "FAILED", 127 << 8, "NonZeroExitCode", node));
        slurm.badNodes().look(rows);
        slurm.badNodes().look(rows);
    }

    @Test
    void jobThatHasNoNodeWithoutThoseLeftOutIsSubmittedAgainForAllOfThem() {
        blame("bad1");
        answers.addAll(List.of(REFUSED, new Answer(0, "17\n", "")));

        open(Map.of("exclude", "old[1-3]"));

        assertThat(launch()).extracting(Job::id).containsExactly("17_0");

        assertThat(scripts).hasSize(2);
        assertThat(scripts.get(0)).contains("#SBATCH --exclude=old[1-3],bad1\n");
        assertThat(scripts.get(1)).isEqualTo(scripts.get(0).replace(",bad1", ""));
        assertThat(backend.folder().path().resolve("job-0/job.sh")).hasContent(scripts.get(1));
    }

    @Test
    void nodesThatAJobsOptionsExcludeAreBesideThoseLeftOut() {
        open(Map.of());
        blame("bad1");
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("true")))
                .options(Map.of("exclude", "old1"))
                .build();

        assertThat(SiteOptions.words(spec, slurm.badNodes())).containsExactly("--exclude=old1,bad1");
    }

    @Test
    void jobThatIsRefusedForAllNodesTooIsRejectedAndLeavesNothing() {
        open(Map.of());
        blame("bad1");
        answers.addAll(List.of(REFUSED, REFUSED));

        assertThatThrownBy(() -> launch())
                .isExactlyInstanceOf(JobRejectedException.class)
                .hasMessageStartingWith("FBR-131 Slurm refused the job: ")
                .hasMessageContaining("Requested node configuration is not available");

        assertThat(scripts).hasSize(2);
        assertThat(scripts.get(0)).contains("#SBATCH --exclude=bad1\n");
        assertThat(scripts.get(1)).doesNotContain("--exclude");
        assertThat(backend.folder().path().resolve("job-0")).doesNotExist();
    }

    @Test
    void jobThatIsRefusedWithNoNodeLeftOutIsNotSubmittedAgain() {
        open(Map.of());
        answers.add(REFUSED);

        assertThatThrownBy(() -> launch()).isExactlyInstanceOf(JobRejectedException.class);
        assertThat(scripts).hasSize(1);
    }

    /** Slurm may have taken the job whose number did not come back. */
    @Test
    void filesThatAnOutageKeptAreRemovedBeforeTheNextJobIsSubmitted() {
        open(Map.of());
        assertThatThrownBy(() -> launch()).isInstanceOf(BackendUnavailableException.class);
        assertThat(backend.folder().path().resolve("job-0/job.sh")).exists();
        scripts.clear();

        assertThatThrownBy(() -> launch())
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageStartingWith("FBR-150");
        assertThat(scripts).isEmpty();

        isAway = false;
        answers.add(new Answer(0, "17\n", ""));
        assertThat(launch()).extracting(Job::id).containsExactly("17_0");
        assertThat(backend.folder().path()).isDirectoryNotContaining("glob:**/job-[01]");
    }

    @Test
    void limitOnJobsIsNoMatterOfNodes() {
        open(Map.of());
        blame("bad1");
        answers.add(new Answer(
                1, "", "sbatch: error: QOSMaxSubmitJobPerUserLimit\nsbatch: error: Batch job submission failed"));

        assertThatThrownBy(() -> launch()).isExactlyInstanceOf(TooManyJobsException.class);
        assertThat(scripts).hasSize(1);
        assertThat(slurm.badNodes().with(Optional.empty())).contains("bad1");
    }
}
