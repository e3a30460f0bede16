// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.backend.support.batch.BatchJob;
import io.fiber.backend.support.batch.BatchState;
import io.fiber.backend.support.batch.Commands.Answer;
import io.fiber.backend.support.batch.LocalFiles;
import io.fiber.backend.support.batch.Scheduler;
import io.fiber.backend.support.batch.SharedFiles;
import io.fiber.backend.support.batch.SharedFolder;
import io.fiber.backend.support.batch.Watch;
import io.fiber.spi.Secret;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.backend.TooManyJobsException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Submissions that Slurm refuses while nodes are left out, or does not answer. */
class LauncherTest {

    private static final Answer REFUSED = new Answer(
            1, "", "sbatch: error: Batch job submission failed: Requested node configuration is not available");

    private final Deque<Answer> answers = new ArrayDeque<>();
    private final List<String> scripts = new ArrayList<>();
    private final List<String> withdrawn = new ArrayList<>();
    private boolean isAway;
    private final Slurm slurm = new Slurm(
            command -> {
                scripts.add(command.input());
                isAway = answers.isEmpty();
                requireThere();
                return answers.remove();
            },
            Optional.empty(),
            SlurmFixture.COMMAND_LIMIT);

    @TempDir
    Path directory;

    private SharedFolder folder;
    private Watch watch;

    /** A queue that says nothing. */
    private static final class Silent implements Scheduler {
        @Override
        public Map<String, BatchState> states(Collection<String> ids) {
            return Map.of();
        }

        @Override
        public void end(Collection<String> ids, Ending ending) {}
    }

    @BeforeEach
    void watch() {
        folder = SharedFolder.create(SlurmBackendProvider.SHOWN, files(), directory, "abcdefghij01");
        watch = new Watch(new Silent(), folder, Duration.ofSeconds(1));
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
    void close() {
        watch.close();
    }

    private List<BatchJob> launch(Map<String, String> options) {
        JobScript script = new JobScript(
                SiteOptions.of(SlurmFixture.options(options)), Path.of("/home/me/project"), slurm.badNodes(), true);
        Launcher.Tools tools = new Launcher.Tools(
                folder, script, slurm, words -> () -> withdrawn.add(words.get(0)), 1000, Optional.empty());
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("true"))).build();
        return new Launcher(tools, Optional.empty(), watch)
                .launch(Submission.of(spec, "worker-0", Secret.empty()), event -> {});
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

        assertThat(launch(Map.of("exclude", "old[1-3]")))
                .extracting(BatchJob::id)
                .containsExactly("17_0");

        assertThat(scripts).hasSize(2);
        assertThat(scripts.get(0)).contains("#SBATCH --exclude=old[1-3],bad1\n");
        assertThat(scripts.get(1)).isEqualTo(scripts.get(0).replace(",bad1", ""));
        assertThat(folder.path().resolve("job-0/job.sh")).hasContent(scripts.get(1));
        assertThat(withdrawn).isEmpty();
    }

    @Test
    void nodesThatAJobsOptionsExcludeAreBesideThoseLeftOut() {
        blame("bad1");
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("true")))
                .options(Map.of("exclude", "old1"))
                .build();

        assertThat(SiteOptions.words(spec, slurm.badNodes())).containsExactly("--exclude=old1,bad1");
    }

    @Test
    void jobThatIsRefusedForAllNodesTooIsRejectedAndLeavesNothing() {
        blame("bad1");
        answers.addAll(List.of(REFUSED, REFUSED));

        assertThatThrownBy(() -> launch(Map.of()))
                .isExactlyInstanceOf(JobRejectedException.class)
                .hasMessageStartingWith("FBR-131 Slurm refused the job: ")
                .hasMessageContaining("Requested node configuration is not available");

        assertThat(scripts).hasSize(2);
        assertThat(scripts.get(0)).contains("#SBATCH --exclude=bad1\n");
        assertThat(scripts.get(1)).doesNotContain("--exclude");
        assertThat(folder.path().resolve("job-0")).doesNotExist();
        assertThat(withdrawn).hasSize(1);
    }

    @Test
    void jobThatIsRefusedWithNoNodeLeftOutIsNotSubmittedAgain() {
        answers.add(REFUSED);

        assertThatThrownBy(() -> launch(Map.of())).isExactlyInstanceOf(JobRejectedException.class);
        assertThat(scripts).hasSize(1);
    }

    /** Slurm may have taken the job whose number did not come back. */
    @Test
    void filesThatAnOutageKeptAreRemovedBeforeTheNextJobIsSubmitted() {
        assertThatThrownBy(() -> launch(Map.of())).isInstanceOf(BackendUnavailableException.class);
        assertThat(folder.path().resolve("job-0/job.sh")).exists();
        assertThat(withdrawn)
                .as("of what cancels the job by its name when this process dies")
                .isEmpty();
        scripts.clear();

        assertThatThrownBy(() -> launch(Map.of()))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageStartingWith("FBR-150");
        assertThat(scripts).isEmpty();

        isAway = false;
        answers.add(new Answer(0, "17\n", ""));
        assertThat(launch(Map.of())).extracting(BatchJob::id).containsExactly("17_0");
        assertThat(folder.path()).isDirectoryNotContaining("glob:**/job-[01]");
    }

    @Test
    void limitOnJobsIsNoMatterOfNodes() {
        blame("bad1");
        answers.add(new Answer(
                1, "", "sbatch: error: QOSMaxSubmitJobPerUserLimit\nsbatch: error: Batch job submission failed"));

        assertThatThrownBy(() -> launch(Map.of())).isExactlyInstanceOf(TooManyJobsException.class);
        assertThat(scripts).hasSize(1);
        assertThat(slurm.badNodes().with(Optional.empty())).contains("bad1");
    }
}
