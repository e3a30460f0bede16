// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that are jobs themselves. {@link SlurmClusterTest} runs it as the user of a cluster. */
class SlurmStepsKit {

    private static final String FOUR_TASKS = "--ntasks=4 --mem=2400 --time=5";

    @TempDir
    Path directory;

    /** Runs a program as a job and returns the lines that it wrote. */
    private List<String> runAsJob(String options, String program) throws IOException {
        return runAsJob(directory, options, "exec", program);
    }

    private List<String> runAsJob(String options, String launcher, String program) throws IOException {
        return runAsJob(directory, options, "exec " + launcher, program);
    }

    /**
     * Runs a program as a job and returns the lines that it wrote.
     *
     * @param options of sbatch
     * @param launcher lines and words of the script before the program's
     */
    static List<String> runAsJob(Path directory, String options, String launcher, String program) throws IOException {
        Path output = directory.resolve("output");
        Path script = directory.resolve("master.sh");
        Files.writeString(
                script,
                String.join(
                        "\n",
                        "#!/bin/bash",
                        "#SBATCH " + options,
                        "#SBATCH --chdir=" + directory + " --output=" + output,
                        launcher + " '" + Path.of(System.getProperty("java.home"), "bin", "java")
                                + "' -Xmx128m"
                                + " -Djava.io.tmpdir='" + directory + "' -cp '" + System.getProperty("java.class.path")
                                + "' " + InsideProgram.class.getName() + " " + program,
                        ""));
        Cluster.runJob(directory, script.toString());
        return Files.readAllLines(output);
    }

    static List<String> words(List<String> lines, String first) {
        return lines.stream()
                .filter(line -> line.startsWith(first + " "))
                .flatMap(line -> Arrays.stream(line.split(" ", -1)).skip(1))
                .toList();
    }

    /** A step of the user's own holds the room of three workers, of which Fiber knows nothing. */
    @Test
    @Tag("soak")
    void workerWhoseStepFindsNoRoomBecomesAJob() throws IOException {
        List<String> lines =
                runAsJob(directory, FOUR_TASKS, "srun --ntasks=3 --exact --mem=1500 sleep 600 &\nexec", "steps");

        List<String> places = words(lines, "places");
        assertThat(places).as(lines.toString()).hasSize(3);
        assertThat(places).filteredOn(place -> place.contains(".")).hasSize(1);
        assertThat(lines)
                .anyMatch(line -> line.contains(" (StepsBusy): other steps hold the tasks of this allocation"));
    }

    @Test
    void workersOfAProgramThatIsAJobAreStepsOfThatJob() throws IOException {
        List<String> lines = runAsJob(FOUR_TASKS, "steps");

        List<String> places = words(lines, "places");
        assertThat(places).as(lines.toString()).hasSize(3).allMatch(place -> place.contains("."));
        String job = places.get(0).split("\\.", 2)[0];
        assertThat(places).allMatch(place -> place.startsWith(job + "."));
        assertThat(words(lines, "step")).containsAll(places);
        assertThat(words(lines, "backend")).contains("slurm");
        assertThat(lines)
                .anyMatch(line -> line.matches(".*This program runs in Slurm's job " + job + ", which has room for 4"
                        + " workers, each with --cpus-per-task=1 and \\d+ MiB; further and larger ones become jobs of their"
                        + " own\\."));
    }

    /** Its own step holds one of the tasks. */
    @Test
    void workersOfAProgramThatSrunHasStartedAreStepsBesideIt() throws IOException {
        List<String> lines = runAsJob("--ntasks=4 --mem=3000 --time=5", "srun --ntasks=1 --exact --mem=600", "steps");

        List<String> places = words(lines, "places");
        assertThat(places).as(lines.toString()).hasSize(3).allMatch(place -> place.contains("."));
        assertThat(lines).anyMatch(line -> line.contains(", which has room for 3 workers, each with "));
    }

    /** Of a step that asks for none Slurm takes all GPUs of its node, so that no other has room there. */
    @Test
    void workersWithoutAGpuShareTheNodeOfAJobThatHasSome() throws IOException {
        List<String> places = words(runAsJob(FOUR_TASKS + " --nodes=1 --gres=gpu:2", "steps"), "places");

        assertThat(places).hasSize(3).allMatch(place -> place.contains("."));
    }

    @Test
    void whatTheAllocationHasNoRoomForAreNewJobs() throws IOException {
        List<String> lines = runAsJob(FOUR_TASKS, "more");

        List<String> places = words(lines, "places");
        assertThat(places).as(lines.toString()).hasSize(5);
        assertThat(places.stream().filter(place -> place.contains("."))).hasSize(4);
    }

    @Test
    void workerThatReplacesOneIsAStepInItsPlace() throws IOException {
        List<String> lines = runAsJob("--ntasks=3 --mem=2000 --time=5", "kill");

        assertThat(words(lines, "died")).as(lines.toString()).isNotEmpty();
        assertThat(words(lines, "after")).as(lines.toString()).hasSize(1).allMatch(place -> place.contains("."));
    }
}
