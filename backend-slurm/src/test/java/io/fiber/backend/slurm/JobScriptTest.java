// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.backend.support.batch.LocalFiles;
import io.fiber.backend.support.batch.SharedFolder;
import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobScriptTest {

    private static final String SESSION = "abcdefghij01";

    @TempDir
    Path directory;

    private static Submission submission(JobSpec.Builder spec, int count) {
        List<Submission.Instance> instances = java.util.stream.IntStream.range(0, count)
                .mapToObj(i -> new Submission.Instance(
                        "worker-" + i, Secret.of(("secret " + i).getBytes(StandardCharsets.UTF_8))))
                .toList();
        return new Submission(spec.build(), instances);
    }

    private static Program.Java program() {
        return new Program.Java(
                Optional.empty(),
                List.of("-Dgreeting=it's here"),
                List.of("/home/me/my program.jar", "/home/me/lib/*"),
                List.of(),
                "example.Main",
                List.of("$HOME", ""));
    }

    private String render(Map<String, String> options, Submission submission) {
        return script(options).render(submission, folder(SESSION, submission)).replace(directory.toString(), "/shared");
    }

    private SharedFolder.Part folder(String session, Submission submission) {
        return SharedFolder.create(SlurmBackendProvider.SHOWN, new LocalFiles(), directory, session)
                .part(submission);
    }

    private static JobScript script(Map<String, String> options) {
        return new JobScript(
                SiteOptions.of(SlurmFixture.options(options)), Path.of("/home/me/project"), new BadNodes(), true);
    }

    private void assertGolden(String name, String script) throws IOException {
        Path golden = Path.of("src/test/resources/io/fiber/backend/slurm", name);
        if (Boolean.getBoolean("fiber.test.regenerate")) {
            Files.writeString(golden, script);
        }
        assertThat(script)
                .as("the script; -Dfiber.test.regenerate=true writes %s anew", golden)
                .isEqualTo(Files.readString(golden));
    }

    @Test
    void jobsHaveAsManyNodesAsTheyAskFor() {
        assertThat(render(Map.of("nodes", "3"), submission(JobSpec.builder(program()), 1)))
                .contains("#SBATCH --nodes=3 --ntasks=3 --cpus-per-task=1\n");
        assertThatThrownBy(() -> SiteOptions.of(SlurmFixture.options(Map.of("nodes", "0"))))
                .hasMessage("FBR-135 Option 'fiber.slurm.nodes' is 0; expected 1 or more, as for sbatch --nodes.");
    }

    @ParameterizedTest
    @CsvSource({
        "'', --mem=1280M",
        "512m, --mem=704M",
        "per-node, --mem=1280M",
        "per-cpu, --mem-per-cpu=640M",
        "512m per-cpu, --mem-per-cpu=352M",
        "Per-CPU 512m, --mem-per-cpu=352M",
        "none, ''",
    })
    void memoryIsAskedForAsTheSiteWantsIt(String option, String directive) {
        Map<String, String> options = option.isEmpty() ? Map.of() : Map.of("memory", option);
        String script = render(options, submission(JobSpec.builder(program()).resources(Resources.cpus(2)), 1));

        assertThat(script.lines().filter(line -> line.contains("--mem")).toList())
                .isEqualTo(directive.isEmpty() ? List.of() : List.of("#SBATCH " + directive));
        assertThat(script).contains(option.toLowerCase(Locale.ROOT).contains("512m") ? "'-Xmx512m'" : "'-Xmx1024m'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--mem-per-cpu=2G", "--mem=0", "--mem-per-gpu 4G"})
    void memoryThatTheUserAsksForTakesThePlaceOfTheBackends(String line) {
        assertThat(render(Map.of("sbatch", line), submission(JobSpec.builder(program()), 1))
                        .lines()
                        .filter(each -> each.contains("--mem")))
                .containsExactly("#SBATCH " + line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"much", "1g 2g", "none per-cpu", "1g,none"})
    void memoryThatIsSomethingElseIsRefused(String option) {
        assertThatThrownBy(() -> SiteOptions.of(SlurmFixture.options(Map.of("memory", option))))
                .hasMessage("FBR-135 Option 'fiber.slurm.memory' is '" + option
                        + "'; expected a size, one of per-node, per-cpu and none, or both, for example 2g per-cpu.");
    }

    @Test
    void limitsOfTheLoginNodeDoNotReachJobsUnlessTheUserWantsThem() {
        Submission submission = submission(JobSpec.builder(program()), 1);

        assertThat(render(Map.of(), submission)).contains("\n#SBATCH --propagate=NONE\n");
        assertThat(script(Map.of("sbatch", "--propagate=NOFILE"))
                        .render(submission, folder("abcdefghij02", submission))
                        .lines()
                        .filter(line -> line.contains("--propagate")))
                .containsExactly("#SBATCH --propagate=NOFILE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--clusters=beta", "--cluster=beta", "-Mbeta"})
    void clusterIsAnOptionOfItsOwn(String word) {
        String line = "--licenses=x:1 " + word;
        assertThatThrownBy(() -> SiteOptions.of(SlurmFixture.options(Map.of("sbatch", line))))
                .hasMessage("FBR-135 Option 'fiber.slurm.sbatch' sets --clusters ('" + line + "'), but all of"
                        + " Slurm's programs need the cluster's name. Set fiber.slurm.cluster instead.");
        assertThatThrownBy(() -> SiteOptions.of(SlurmFixture.options(Map.of("cluster", "alpha,beta"))))
                .hasMessage(
                        "FBR-135 Option 'fiber.slurm.cluster' is 'alpha,beta'; expected the name of one cluster, as jobs"
                                + " of a session are on the same one. Set fiber.slurm.cluster; 'sacctmgr show cluster' lists the"
                                + " names.");
    }

    @Test
    void jobIsNoArrayWhereSlurmHasNone() {
        Submission submission = submission(JobSpec.builder(program()).output(new JobOutput.Console()), 1);
        JobScript single = new JobScript(
                SiteOptions.of(SlurmFixture.options(Map.of())), Path.of("/home/me/project"), new BadNodes(), false);

        assertThat(single.render(submission, folder(SESSION, submission)))
                .contains("/job-0/0.out\n", "/job-0/0.err\n", "\nindex=${1-0}\n")
                .doesNotContain("--array", "%a");
    }

    @Test
    void commentOfADetachedJobSaysAllByWhichItIsFound() {
        String script = render(
                Map.of(),
                submission(
                        JobSpec.builder(program()).labels(Map.of(DetachedJobs.RUN, "k3f", DetachedJobs.USER, "anna")),
                        1));

        assertThat(script)
                .contains("#SBATCH --comment=io.fiber.job=worker-0,io.fiber.run=k3f,io.fiber.session=" + SESSION
                        + ",io.fiber.user=anna\n");
    }

    @Test
    void plainScriptIsTheGoldenOne() throws IOException {
        Submission submission = submission(
                JobSpec.builder(new Program.Java(
                        Optional.of("java"),
                        List.of(),
                        List.of("/home/me/app.jar"),
                        List.of(),
                        "example.Main",
                        List.of())),
                1);

        assertGolden("plain.sh", render(Map.of(), submission));
    }

    @Test
    void scriptWithEverythingIsTheGoldenOne() throws IOException {
        Submission submission = submission(
                JobSpec.builder(program())
                        .resources(Resources.cpus(2.5).withMemory("2g").withGpus(1))
                        .labels(Map.of("team", "blue and green", "run", "7"))
                        .environment(Map.of("GREETING", "a 'b' $c", "odd.name", "x"))
                        .workingDirectory(Path.of("/data/run 7"))
                        .timeLimit(Duration.ofSeconds(90))
                        .output(new JobOutput.Files(Path.of("/home/me/logs"))),
                50);
        Map<String, String> options = Map.of(
                "partition", "long",
                "account", "p1234",
                "qos", "normal",
                "constraint", "avx512&ib",
                "reservation", "course",
                "exclude", "node[7-9]",
                "gres", "scratch:10",
                "prologue", "module purge\nmodule load openjdk/17",
                "sbatch", "--licenses=matlab:1 --switches=1",
                "java", "/opt/jdk-17/bin/java");

        assertGolden("everything.sh", render(withWrapper(options), submission));
    }

    @Test
    void scriptOfAProgramThatIsStartedAgainIsTheGoldenOne() throws IOException {
        Submission submission = submission(
                JobSpec.builder(new Program.Command(List.of("my-program")))
                        .labels(Map.of(DetachedJobs.RUN, "k3f0q8m2v7ad", DetachedJobs.USER, "anna"))
                        .timeLimit(Duration.ofHours(4))
                        .restarts(20),
                1);

        assertGolden("restarts.sh", render(Map.of("partition", "long"), submission));
    }

    private static Map<String, String> withWrapper(Map<String, String> options) {
        Map<String, String> all = new java.util.TreeMap<>(options);
        all.put("wrapper", "numactl -l");
        return all;
    }

    @Test
    void optionsOfAJobGoBeforeThoseOfTheSession() {
        Map<String, String> session = Map.of("partition", "long", "account", "p1234", "prologue", "module purge");
        JobSpec.Builder spec = JobSpec.builder(program())
                .options(Map.of("partition", "gpu", "gres", "scratch:10", "prologue", "module load cuda"));

        assertThat(render(session, submission(spec, 1)))
                .contains("\n#SBATCH --partition=gpu\n", "\n#SBATCH --account=p1234\n", "\n#SBATCH --gres=scratch:10\n")
                .contains("\nmodule load cuda\n")
                .doesNotContain("long", "module purge");
    }

    @Test
    void secretIsInTheFileOfItsOwnerOnly() throws IOException {
        String script = render(Map.of(), submission(JobSpec.builder(program()), 2));

        assertThat(script).doesNotContain("secret");
        Path bootstrap = directory.resolve("fiber-" + SESSION).resolve("job-0").resolve("1.bootstrap");
        assertThat(bootstrap).hasContent("secret 1");
        assertThat(Files.getPosixFilePermissions(bootstrap)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.getPosixFilePermissions(directory.resolve("fiber-" + SESSION)))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    private int run(Path script) throws Exception {
        Process job = new ProcessBuilder("/bin/bash", script.toString(), "0")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        job.getOutputStream().close();
        return job.waitFor();
    }

    /** As by a requeue, of which two may even run at the same time. */
    @Test
    void secondStartOfAnElementRunsNothing() throws Exception {
        Path runs = directory.resolve("runs");
        JobSpec.Builder command =
                JobSpec.builder(new Program.Command(List.of("/bin/sh", "-c", "echo here >>" + runs + "; exit 3")));
        String text = render(Map.of(), submission(command, 1)).replace("/shared", directory.toString());
        Path script = Files.writeString(directory.resolve("script"), text);

        assertThat(run(script)).isEqualTo(3);
        assertThat(run(script)).isEqualTo(75);
        assertThat(runs).hasContent("here");
    }

    /**
     * Below the directory of a process are those of other processes of its node, which may live. A directory stands for the
     * node's shared memory: there, processes of this user remove what a program that is gone has left.
     */
    @Test
    void programThatIsKilledLeavesNothingInSharedMemory() throws Exception {
        Path memory = Files.createDirectory(directory.resolve("shm"));
        Path made = directory.resolve("made");
        String program = """
                own=%s/fiber-$EUID-%s-$$
                echo "$own" >'%s'
                mkdir -p "$own"/{driver,peers} "$own-2/driver" "$own-3"/{driver,peers/living} "${own}0/driver"
                ln -s "${own}0" "$own-4"
                all=${own%%-*}
                mkdir -p "$all-1/peers/${own##*/}/driver" "$all-2"/{driver,"peers/${own##*/}/driver"}
                kill -KILL $$
                """.formatted(memory, SESSION, made);
        JobSpec.Builder command = JobSpec.builder(new Program.Command(List.of("bash", "-c", program)));
        String text = render(Map.of(), submission(command, 1))
                .replace("/shared", directory.toString())
                .replace("/dev/shm", memory.toString());

        int code = run(Files.writeString(directory.resolve("script"), text));
        String own = Files.readString(made).strip();
        String all = own.substring(0, own.lastIndexOf('-'));
        try (Stream<Path> left = Files.list(memory)) {
            assertThat(code).isEqualTo(137);
            assertThat(left.map(Path::toString).filter(path -> path.startsWith(own)))
                    .containsExactlyInAnyOrder(own + "-3", own + "-4", own + "0");
            assertThat(Path.of(own + "-3")).isDirectoryNotContaining("glob:**driver");
            assertThat(Path.of(own + "-3/peers/living")).exists();
            assertThat(Path.of(own + "0/driver")).exists();
            assertThat(Path.of(all + "-1"))
                    .as("what it was below, of a process killed before")
                    .doesNotExist();
            assertThat(Path.of(all + "-2/driver"))
                    .as("what it was below, of a process that lives")
                    .exists();
            assertThat(Path.of(all + "-2/peers")).isEmptyDirectory();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shopt -s failglob; set -f",
                "set -euo pipefail; IFS=$'\\n\\t'",
                "set -E; trap 'exit 1' ERR",
                "set -o posix",
                "set -Cm"
            })
    void exitCodeIsTheProgramsWhateverOptionsAPrologueSets(String prologue) throws Exception {
        JobSpec.Builder command = JobSpec.builder(new Program.Command(List.of("/bin/sh", "-c", "exit 7")));
        String text =
                render(Map.of("prologue", prologue), submission(command, 2)).replace("/shared", directory.toString());
        Path script = Files.writeString(directory.resolve("script"), text);

        assertThat(run(script)).isEqualTo(7);
        Process element = new ProcessBuilder("env", "SLURM_ARRAY_TASK_ID=1", "bash", script.toString()).start();
        assertThat(element.waitFor()).isEqualTo(7);
        Path news = directory.resolve("fiber-" + SESSION + "/news");
        assertThat(news.resolve("0-0-ended")).hasContent("7 -");
        assertThat(news.resolve("0-1-ended")).hasContent("7 -");
    }

    @Test
    void wrapperMayBeAFunctionOfThePrologue() throws Exception {
        JobSpec.Builder command = JobSpec.builder(new Program.Command(List.of("/bin/sh", "-c", "exit $CODE")));
        Map<String, String> options = Map.of("prologue", "with() { CODE=$1 \"${@:2}\"; }", "wrapper", "with 7");
        String text = render(options, submission(command, 1)).replace("/shared", directory.toString());
        Path script = Files.writeString(directory.resolve("script"), text);

        assertThat(run(script)).isEqualTo(7);
    }

    /** With so little time it is over in the middle of an exit code in one of three runs. */
    @Test
    void exitCodeIsReadInParts() throws Exception {
        JobSpec.Builder command = JobSpec.builder(new Program.Command(List.of("/bin/sh", "-c", "exit 7")));
        String text = render(Map.of(), submission(command, 40)).replace("/shared", directory.toString());
        assertThat(text).contains("read -r -t 2 ");
        Path script =
                Files.writeString(directory.resolve("script"), text.replace("read -r -t 2 ", "read -r -t 0.001 "));

        for (int i = 0; i < 40; i++) {
            Process job = new ProcessBuilder("env", "SLURM_ARRAY_TASK_ID=" + i, "bash", script.toString()).start();
            assertThat(job.waitFor()).isEqualTo(7);
        }
    }

    @Test
    void nodeThatDoesNotSeeAPartOfTheClassPathSaysWhich() throws Exception {
        Path jar = Files.createFile(directory.resolve("my app.jar"));
        JobSpec.Builder java = JobSpec.builder(new Program.Java(
                Optional.of("/bin/true"),
                List.of(),
                List.of("/not/here", jar.toString()),
                List.of(),
                "a.B",
                List.of()));
        String text = render(Map.of(), submission(java, 2)).replace("/shared", directory.toString());
        Path script = Files.writeString(directory.resolve("script"), text);
        Files.delete(jar);

        assertThat(run(script)).isEqualTo(127);
        assertThat(text)
                .contains("FBR-140 This node does not see a part of the program's class path: '$entry' on $HOSTNAME.");
        assertThat(text).contains("for entry in '" + jar + "'; do\n").doesNotContain("for entry in '/not/here'");

        Files.createFile(jar);
        assertThat(new ProcessBuilder("/bin/bash", script.toString(), "1")
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void memoryOfACommandIsWhatWasAskedFor() {
        JobSpec.Builder command =
                JobSpec.builder(new Program.Command(List.of("hostname"))).resources(Resources.memory("300m"));

        assertThat(render(Map.of(), submission(command, 1))).contains("#SBATCH --mem=300M\n");
    }

    @ParameterizedTest
    @CsvSource({
        "--output=/tmp/x, --output",
        "-o, -o",
        "-o/tmp/x, -o",
        "-a0-9, -a",
        "-n4, -n",
        "-JX, -J",
        "-Hvn4, -n",
        "--arr=0-9, --array",
        "--out, --output",
    })
    void optionOfTheBackendItselfIsRefused(String word, String option) {
        String line = "--licenses=a:1 " + word;

        assertThatThrownBy(() -> SiteOptions.of(SlurmFixture.options(Map.of("sbatch", line))))
                .isInstanceOf(BackendException.class)
                .hasMessage("FBR-135 Option 'fiber.slurm.sbatch' sets " + option + " ('" + line
                        + "'), which the backend itself sets. Leave it out.");
    }

    @Test
    void optionThatLooksLikeOneOfTheBackendIsTaken() {
        String line =
                "--wait-all-nodes=1 --nodelist=n1 --ntasks-per-node=1 --no-kill --exclusive -k -suser -Cavx -L a -HQ"
                        + " --cluster-constraint=fast";

        assertThat(render(Map.of("sbatch", line), submission(JobSpec.builder(program()), 1)))
                .contains("#SBATCH " + line + "\n");
    }

    @Test
    void commentIsTheUsersWhereJobsHaveNoLabels() {
        Map<String, String> options = Map.of("sbatch", "--comment=project:7");

        assertThat(render(options, submission(JobSpec.builder(program()), 1)))
                .contains("#SBATCH --comment=project:7\n");
        Submission labelled = submission(JobSpec.builder(program()).labels(Map.of("team", "blue")), 1);
        assertThatThrownBy(() -> script(options).render(labelled, folder("abcdefghij02", labelled)))
                .hasMessage(
                        "FBR-135 Option 'fiber.slurm.sbatch' sets --comment ('--comment=project:7'), which the backend"
                                + " itself sets. Leave it out.");
    }

    @Test
    void lineThatIsNoOptionIsRefused() {
        assertThatThrownBy(() -> SiteOptions.of(SlurmFixture.options(Map.of("sbatch", "module load x"))))
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("FBR-135")
                .hasMessageContaining("'module load x'; expected options of sbatch");
    }

    @Test
    void variableOfTheUserCountsWhereNothingElseWasSaid() {
        SiteOptions site = SiteOptions.of(SlurmFixture.options(Map.of("partition", "long")));

        assertThat(site.leavesToTheUser("SBATCH_ACCOUNT")).isTrue();
        assertThat(site.leavesToTheUser("SBATCH_PARTITION")).isFalse();
        assertThat(site.leavesToTheUser("SBATCH_ARRAY_INX")).isFalse();
        assertThat(site.leavesToTheUser("SLURM_MEM_PER_CPU")).isFalse();
    }

    @Test
    void carriageReturnsAreSpelledBecauseSbatchRefusesThem() {
        String script = render(
                Map.of(),
                submission(
                        JobSpec.builder(new Program.Command(List.of("run", "dos\r\nline")))
                                .environment(Map.of("DOS", "a\r\nb")),
                        1));
        assertThat(script)
                .doesNotContain("\r")
                .contains("    'dos'$'\\r''\nline'\n")
                .contains("export DOS='a'$'\\r''\nb'\n");
    }
}
