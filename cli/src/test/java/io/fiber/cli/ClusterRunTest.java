// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The command on the clusters that {@code dev/docker/up}, {@code dev/kubernetes/up} and {@code dev/slurm/up} have started. */
@Tag("cluster")
class ClusterRunTest extends CliFixture {

    private static final Duration LIMIT = Duration.ofSeconds(100);

    private String classes = "";

    @BeforeEach
    void withAProgram() throws Exception {
        classes = ProgramJars.write(directory.resolve("program.jar"), "program", Program.class)
                .toString();
    }

    @Test
    void aContainerRunsAProgramWhoseClassPathIsSentToIt() throws Exception {
        assertRuns(TestClusters.besideDocker(cli), "--backend", "docker", "--image", "fiber-test:jre");
    }

    @Test
    void workersOfAProgramInAContainerAreContainersAndWhatTheyLeaveIsFound() throws Throwable {
        Cli beside = TestClusters.besideDocker(cli);
        String jars = ExampleJars.classPathWithAllBackends(directory);
        String volume = "run-" + ProcessHandle.current().pid();
        TestClusters.docker("volume", "create", volume);
        String[] common = {"--backend", "docker", "--image", "fiber-test:jre", "--", "java", "-cp", jars};
        Cli.Result shared = beside.run(words("run --dry-run", common));
        Cli.Result local = beside.run(words("run --dry-run --workers local", common));
        Cli.Result run = beside.run(
                words("run --workers local", common, new String[] {ExampleJars.PI_ESTIMATION, "100000", "2"}));
        String id = beside.run(words("run --detach --workers docker --volume " + volume + ":/data:ro", common))
                .out()
                .strip();
        try {
            await().atMost(LIMIT).until(() -> beside.run("logs", id).out().contains("at work"));
            String name =
                    "fiber-" + beside.run("ps", "--json").out().replaceAll("(?s).*\"session\":\"([^\"]+).*", "$1");
            String master =
                    TestClusters.docker("ps", "-q", "--filter", "name=" + name).strip();
            String theirs = "label=io.fiber.owner=container-" + master;

            assertThat(shared.err())
                    .contains("fiber: workers that the program starts share its job; --workers docker ");
            assertThat(local.err()).doesNotContain("--workers");
            assertThat(local.out()).contains("FIBER_BACKEND=local").doesNotContain("docker.sock");
            assertThat(run.out()).as(run.err()).contains("Pi is roughly 3.1");
            assertThat(run.code()).isZero();
            assertThat(TestClusters.docker("ps", "--format", "{{.Image}} {{.Mounts}} {{.Names}}", "--filter", theirs)
                            .lines())
                    .hasSize(2)
                    .allMatch(worker ->
                            worker.matches("fiber-test:jre .*" + volume + ".* fiber-[a-z0-9]{12}-.*pool-1-[12]"));

            TestClusters.alone("docker", () -> {
                TestClusters.docker("rm", "-f", master);
                assertThat(beside.run("clean", "--yes", "--backend", "docker").out())
                        .containsPattern("[a-z0-9]{12}  2 containers, 3 volumes\n");
                assertThat(TestClusters.docker("ps", "-aq", "--filter", theirs)
                                + TestClusters.docker("volume", "ls", "-q", "--filter", theirs))
                        .isEmpty();
            });
        } finally {
            beside.run("kill", "--now", id);
            TestClusters.docker("volume", "rm", volume);
        }
    }

    private static String[] words(String first, String[] common) {
        return words(first, common, new String[] {Endless.class.getName()});
    }

    private static String[] words(String first, String[] common, String[] last) {
        return Stream.of(first.split(" ", -1), common, last).flatMap(Stream::of).toArray(String[]::new);
    }

    @Test
    void aPodRunsAProgramWhoseClassPathIsSentToIt() throws Exception {
        // Kubernetes does not keep the two streams of output apart.
        Cli.Result result =
                run(TestClusters.besideKubernetes(cli), "--backend", "kubernetes", "--image", "fiber-test:jre");

        assertThat(result.out().lines()).contains("arguments [7, a b]", "seed 4 2", "a complaint");
        assertThat(result.err()).contains(" runs on node-");
        assertThat(result.code()).isEqualTo(7);
    }

    @Test
    void aProgramInAPodMakesPodsOfItsWorkersByAServiceAccountThatIsSetUp() throws Exception {
        Cli beside = TestClusters.besideKubernetes(cli);
        String account = "run-" + ProcessHandle.current().pid();
        String setup = "setup kubernetes --namespace default --service-account " + account;
        String[] run = {
            "run",
            "--backend",
            "kubernetes",
            "--image",
            "fiber-test:jre",
            "--service-account",
            account,
            "--",
            "java",
            "-cp",
            ExampleJars.classPathWithAllBackends(directory),
            ExampleJars.PI_ESTIMATION,
            "100000",
            "2"
        };
        List<String> earlier = podsWithEvents("default");
        try {
            assertNotSubmitted(beside.run(run), account + "' of namespace 'default' does not exist.", setup);
            TestClusters.kubectl("create", "serviceaccount", account);
            assertNotSubmitted(beside.run(run), " lacks rights: create pods, get pods, ", setup);
            assertThat(beside.run(setup.split(" ", -1)).out())
                    .contains(account + "' of namespace 'default' at https://");
            assertThat(DoctorClusterTest.as(account, beside)
                            .run(
                                    "run",
                                    "--dry-run",
                                    "--backend",
                                    "kubernetes",
                                    "--service-account",
                                    account,
                                    "--",
                                    "true")
                            .err())
                    .contains(
                            "'" + account + "' of namespace 'default' exists and has the rights is not known, because");

            Cli.Result result = beside.run(run);

            assertThat(result.out()).as(result.err()).contains("Pi is roughly 3.1");
            assertThat(result.code()).isZero();
            assertThat(podsWithEvents("default"))
                    .filteredOn(pod -> !earlier.contains(pod))
                    .anyMatch(pod -> pod.endsWith("-p1-pool-1-1"))
                    .anyMatch(pod -> pod.endsWith("-p1-pool-1-2"));
        } finally {
            TestClusters.kubectl("delete", "serviceaccount/" + account, "rolebinding/fiber-" + account);
        }
    }

    private static void assertNotSubmitted(Cli.Result result, String why, String setup) {
        assertThat(result.err())
                .contains("FBR-182 The service account '", why, "has to run: fiber " + setup + "\n")
                .contains("name another account with --service-account of 'fiber run', or use --workers local, which"
                        + " runs");
        assertThat(result.code()).isEqualTo(125);
    }

    @Test
    void workersOfAProgramInAPodArePodsUnlessSomethingElseIsSaid() throws Exception {
        Cli beside = TestClusters.besideKubernetes(cli);
        String namespace = "run-" + ProcessHandle.current().pid();
        String place = "run --backend kubernetes -s kubernetes.namespace=" + namespace + " --image fiber-test:jre";
        String[] program = {"--", "java", "-cp", ExampleJars.classPathWithAllBackends(directory)};
        String[] pi = {ExampleJars.PI_ESTIMATION, "100000", "2"};
        TestClusters.kubectl("create", "namespace", namespace);
        try {
            assertNotSubmitted(
                    beside.run(words(place, program, pi)),
                    "'fiber' of namespace '" + namespace + "' does not exist.",
                    "setup kubernetes --namespace " + namespace + " --service-account fiber");
            Cli.Result local = beside.run(words(place + " --workers local", program, pi));
            assertThat(local.out()).as(local.err()).contains("Pi is roughly 3.1");
            assertThat(local.code()).isZero();
            assertThat(podsWithEvents(namespace)).isNotEmpty().noneMatch(pod -> pod.contains("-pool-1-"));
            assertThat(beside.run(words(place + " --dry-run --workers local", program, pi))
                            .out())
                    .contains("automountServiceAccountToken: false")
                    .doesNotContain("serviceAccountName");
            beside.run("setup", "kubernetes", "--namespace", namespace);

            Cli.Result result = beside.run(words(place, program, pi));

            assertThat(result.out()).as(result.err()).contains("Pi is roughly 3.1");
            assertThat(result.err()).doesNotContain("--workers");
            assertThat(podsWithEvents(namespace))
                    .anyMatch(pod -> pod.endsWith("-p1-pool-1-1"))
                    .anyMatch(pod -> pod.endsWith("-p1-pool-1-2"));

            TestClusters.kubectl(
                    "create",
                    "rolebinding",
                    "own",
                    "--role=fiber",
                    "--serviceaccount=" + namespace + ":default",
                    "-n",
                    namespace);
            assertThat(beside.run(words(place + " --dry-run", program, pi)).out())
                    .contains("serviceAccountName: \"default\"");
        } finally {
            TestClusters.kubectl("delete", "namespace", namespace, "--wait=false");
        }
    }

    @Test
    void aWorkerInAPodWritesIntoTheClaimWhichTheProgramInItsPodReads() throws Exception {
        try (CopySite site = CopySite.of(CopySite.Kind.KUBERNETES, cli)) {
            String account = "claim-" + ProcessHandle.current().pid();
            String[] run = {"--", "java", "-cp", ExampleJars.classPathWithAllBackends(directory)};
            String options = "run --backend kubernetes --image fiber-test:jre --service-account " + account
                    + " --volume " + site.there() + "/data";
            site.cli().run(("setup kubernetes --namespace default --service-account " + account).split(" ", -1));
            try {
                Cli.Result result = site.cli().run(words(options, run, new String[] {
                    SharedNote.class.getName(), "/data/note.txt"
                }));

                assertThat(result.out())
                        .as(result.err())
                        .matches("(?s).*read a note of fiber-[^ ]+-pool-1-1, another pod: true\n");
                assertThat(site.ground().resolve("note.txt"))
                        .content()
                        .startsWith("a note of fiber-")
                        .endsWith("-pool-1-1");
            } finally {
                TestClusters.kubectl("delete", "serviceaccount/" + account, "rolebinding/fiber-" + account);
            }
        }
    }

    private static List<String> podsWithEvents(String namespace) {
        return TestClusters.kubectl("get", "events", "-n", namespace, "-o", "custom-columns=:.involvedObject.name")
                .lines()
                .toList();
    }

    @Test
    void slurmRunsAProgramThatIsSubmittedFromAWorkstation() throws Exception {
        assertRuns(cli, TestClusters.slurmBySsh().toArray(String[]::new));
    }

    @Test
    void slurmGivesAProgramAsManyNodesAsItAsksFor() throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "-N", "2"));
        words.addAll(TestClusters.slurmBySsh());
        words.addAll(List.of("--", "printenv", "SLURM_JOB_NUM_NODES", "SLURM_NTASKS"));

        Cli.Result result = cli.run(words.toArray(String[]::new));

        assertThat(result.out()).as(result.err()).isEqualTo("2\n2\n");
        assertThat(result.code()).isZero();
    }

    @Test
    void slurmGivesAProgramTheNodeAndTheResourcesThatItAsksFor() throws Exception {
        List<String> words =
                new ArrayList<>(List.of("run", "-p", "high", "-C", "rack3", "--gres", "scratch:2", "-c", "2"));
        words.addAll(TestClusters.slurmBySsh());
        words.addAll(List.of("--", "sh", "-c", "echo $SLURMD_NODENAME; scontrol show job $SLURM_JOB_ID"));

        Cli.Result result = cli.run(words.toArray(String[]::new));

        assertThat(result.out())
                .as(result.err())
                .startsWith("simple-3\n")
                .contains("Partition=high ", "Features=rack3 ", "TresPerNode=gres:scratch:2\n", " CPUs/Task=2 ");
        assertThat(result.code()).isZero();
    }

    @Test
    void theScriptForSlurmIsPrintedAndNotSubmitted() throws Exception {
        List<String> words =
                new ArrayList<>(List.of("run", "--dry-run", "-c", "2", "-t", "2:00:00", "-p", "debug", "-A", "chem"));
        words.addAll(TestClusters.slurmBySsh());
        words.addAll(List.of("--", "java", "-cp", classes, Program.class.getName(), "7"));

        Cli.Result result = cli.run(words.toArray(String[]::new));

        assertThat(result.out())
                .startsWith("sbatch --parsable --time=120 <<'END_OF_JOB'\n#!")
                .contains(" --cpus-per-task=2", "#SBATCH --time=120\n")
                .contains("#SBATCH --partition=debug\n", "#SBATCH --account=chem\n")
                .contains(Program.class.getName())
                .doesNotContain("scontrol requeue");
        assertThat(result.code()).isZero();
        words.addAll(1, List.of("--detach", "--restarts", "20"));
        assertThat(cli.run(words.toArray(String[]::new)).out())
                .contains("#SBATCH --requeue", "\nfiber_most=20\n", "scontrol requeue ", "sbatch --parsable ");
    }

    private void assertRuns(Cli from, String... options) throws Exception {
        Cli.Result result = run(from, options);

        assertThat(result.out().lines()).contains("arguments [7, a b]", "seed 4 2");
        assertThat(result.err()).contains("a complaint", " runs on ");
        assertThat(result.code()).isEqualTo(7);
    }

    private Cli.Result run(Cli from, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "--env", "SEED=4 2"));
        words.addAll(Arrays.asList(options));
        words.addAll(List.of("--", "java", "-cp", classes, Program.class.getName(), "7", "a b"));
        return from.run(words.toArray(String[]::new));
    }
}
