// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.support.batch.BatchBackend;
import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.LocalFiles;
import io.fiber.backend.support.batch.SharedFolder;
import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is shown before it is submitted. Whoever asks Slurm or starts a step here fails. */
class PreviewTest {

    private static final String SESSION = "abcdefghij01";
    private static final int LONGEST_ARRAY = 3;

    @TempDir
    Path directory;

    private static Submission submission(int count) {
        return submission(count, Map.of());
    }

    private static Submission submission(int count, Map<String, String> options) {
        return submission(count, spec().options(options));
    }

    private static JobSpec.Builder spec() {
        return JobSpec.builder(new Program.Java(
                        Optional.of("java"),
                        List.of(),
                        List.of("/home/me/app.jar"),
                        List.of(),
                        "example.Main",
                        List.of()))
                .output(new JobOutput.Console());
    }

    private static Submission submission(int count, JobSpec.Builder spec) {
        return new Submission(
                spec.build(),
                IntStream.range(0, count)
                        .mapToObj(i -> new Submission.Instance(
                                "worker-" + i, Secret.of("secret".getBytes(StandardCharsets.UTF_8))))
                        .toList());
    }

    private static IllegalStateException unwanted(Object what) {
        return new IllegalStateException("A preview must not do this: " + what);
    }

    private static Slurm slurm() {
        return new Slurm(
                command -> {
                    if (command.program().equals("scontrol")) {
                        return new Commands.Answer(0, "MaxArraySize = " + LONGEST_ARRAY + "\n", "");
                    }
                    throw unwanted(command);
                },
                Optional.empty(),
                SlurmFixture.COMMAND_LIMIT);
    }

    private static JobDetails given(int gpus) {
        return new JobDetails(
                OptionalInt.empty(),
                1,
                List.of(new JobDetails.Share(1, 2, 4500, gpus == 0 ? Map.of() : Map.of("gpu", gpus))));
    }

    private Steps steps(int gpus) {
        Steps.Starter starter = (words, errors) -> {
            throw unwanted(words);
        };
        return new Steps(
                new Allocation("4711", 2, 1, 1500, given(gpus)), new Steps.Srun(starter, directory), slurm(), script());
    }

    private JobScript script() {
        return new JobScript(
                SiteOptions.of(SlurmFixture.options(Map.of())), Path.of("/home/me/project"), new BadNodes(), true);
    }

    private String preview(Optional<Steps> steps, Submission submission) {
        SlurmQueue queue = new SlurmQueue(slurm(), script(), steps, SESSION);
        ScriptedHost host = new ScriptedHost(
                command -> {
                    throw unwanted(command);
                },
                directory);
        try (BatchBackend backend = host.open(queue, SESSION)) {
            String shown = backend.preview(submission).orElseThrow();
            assertThat(backend.preview(submission)).contains(shown);
            assertThat(shown).doesNotContain("secret");
            assertThat(backend.folder().path().toFile().list()).containsExactlyInAnyOrder("news", "owner");
            return shown;
        }
    }

    private static Submission part(Submission whole, JobSpec spec, int from, int to) {
        return new Submission(spec, whole.instances().subList(from, to));
    }

    /** Returns the files that a submission would have. */
    private SharedFolder.Part part(int number) {
        SharedFolder folder = SharedFolder.create(SlurmBackendProvider.SHOWN, new LocalFiles(), directory, SESSION);
        folder.remove();
        return folder.partAfter(number);
    }

    private String array(int number, Submission submission) {
        return "sbatch --parsable <<'END_OF_JOB'\n" + script().render(submission, part(number)) + "END_OF_JOB\n";
    }

    @Test
    void scriptOfAProgramThatIsStartedAgainIsShown() {
        Submission detached = submission(
                1,
                spec().output(new JobOutput.None())
                        .labels(Map.of(DetachedJobs.RUN, "k3f0q8m2v7ad", DetachedJobs.USER, "anna"))
                        .restarts(20));

        assertThat(preview(Optional.empty(), detached))
                .isEqualTo(array(0, detached))
                .contains("\n#SBATCH --requeue --open-mode=append\n", "\nfiber_most=20\n");
    }

    @Test
    void arrayIsTheScriptAndTheLineThatSendsIt() {
        Submission three = submission(3);

        assertThat(preview(Optional.empty(), three))
                .isEqualTo(array(0, three))
                .contains("\n#SBATCH --job-name=fiber-abcdefghij01-0\n#SBATCH --array=0-2\n");
    }

    @Test
    void aClassPathThatIsTooLongForAWordIsWrittenIntoAFileByTheScript() {
        String path = "/home/me/" + "x".repeat(140_000) + ".jar";
        Program.Java program = new Program.Java(
                Optional.of("java"), List.of("-ea"), List.of(path), List.of(), "example.Main", List.of());

        assertThat(preview(Optional.empty(), submission(1, JobSpec.builder(program))))
                .contains("\nprintf '%s' '-cp \"" + path + "\"\n' >\"$folder/$index.arguments\"\n")
                .contains("    '-ea'\n    \"@$folder/$index.arguments\"\n    'example.Main'\n");
    }

    @Test
    void whatIsTooLongForOneArrayIsSeveral() {
        Submission five = submission(5);

        assertThat(preview(Optional.empty(), five))
                .isEqualTo(array(0, part(five, five.spec(), 0, 3)) + array(1, part(five, five.spec(), 3, 5)));
    }

    @Test
    void whatHasRoomInTheAllocationIsStepsAndTheRestAnArray() {
        Submission three = submission(3);
        Steps steps = steps(0);
        JobSpec inside =
                three.spec().toBuilder().resources(Resources.memory("1200m")).build();
        String job = part(0).path().toString();
        String srun = "srun --jobid=4711 --job-name=fiber-abcdefghij01-0_%1$d --nodes=1 --ntasks=1 --cpus-per-task=1"
                + " --exact --kill-on-bad-exit=0 --input=none --open-mode=append --propagate=NONE --mem=1500M --chdir="
                + job
                + " --output=" + job + "/%1$d.out --error=" + job + "/%1$d.err /bin/bash " + job + "/job.sh %1$d &\n";

        assertThat(preview(Optional.of(steps), three))
                .isEqualTo("cat >" + job + "/job.sh <<'END_OF_JOB'\n"
                        + script().renderSteps(part(three, inside, 0, 2), part(0)) + "END_OF_JOB\n"
                        + String.format(srun, 0) + String.format(srun, 1)
                        + array(1, part(three, three.spec(), 2, 3)))
                .containsOnlyOnce("\nexec >>\"$folder/$index.out\" 2>>\"$folder/$index.err\"\n");
        assertThat(steps.reserve(three.spec(), 3)).as("tasks that are free").isEqualTo(2);
    }

    @Test
    void stepOfAnAllocationWithGpusSaysHowManyAlsoWhenItNeedsNone() {
        Submission one = submission(1);
        JobSpec spec = one.spec().toBuilder().resources(Resources.gpus(1)).build();

        assertThat(preview(Optional.of(steps(2)), one)).contains(" --mem=1500M --gres=none --chdir=");
        assertThat(preview(Optional.of(steps(2)), new Submission(spec, one.instances())))
                .contains(" --mem=1500M --gres=gpu:1 --chdir=");
    }

    @Test
    void jobWithOptionsOfItsOwnIsNoStep() {

        assertThat(preview(Optional.of(steps(0)), submission(1, Map.of("partition", "gpu"))))
                .startsWith("sbatch --parsable --partition=gpu <<'END_OF_JOB'\n")
                .contains("\n#SBATCH --partition=gpu\n");
    }

    /** A word of sbatch would take the place of the whole line. */
    @Test
    void resourcesOfAJobsOptionsAreBesideItsGpus() {
        JobSpec.Builder spec = spec().resources(Resources.gpus(1)).options(Map.of("gres", "scratch:1"));

        assertThat(preview(Optional.empty(), submission(1, spec)))
                .startsWith("sbatch --parsable <<'END_OF_JOB'\n")
                .contains("\n#SBATCH --gres=gpu:1,scratch:1\n");
    }

    /** Of the user's profile SBATCH_TIMELIMIT wins over a line of the script. */
    @Test
    void timeLimitOfAJobIsAWordOfSbatch() {

        assertThat(preview(Optional.empty(), submission(1, spec().timeLimit(Duration.ofSeconds(150)))))
                .startsWith("sbatch --parsable --time=3 <<'END_OF_JOB'\n")
                .contains("\n#SBATCH --time=3\n");
    }
}
