// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code fiber doctor} finds on the clusters that {@code dev/docker/up} and {@code dev/kubernetes/up} have started. */
@Tag("cluster")
class DoctorClusterTest extends CliFixture {

    private static final Duration LIMIT = Duration.ofSeconds(200);

    @Test
    void aMissingRightIsAFaultWithTheRoleThatGivesIt() throws Exception {
        Cli beside = TestClusters.besideKubernetes(cli);
        String account = "doctor-" + ProcessHandle.current().pid();
        TestClusters.kubectl("create", "serviceaccount", account);
        try {
            Cli.Result result = as(account, beside).run("doctor", "--depth", "backend", "--backend", "kubernetes");

            assertThat(result.unwrapped())
                    .contains("FAULT  backend kubernetes  FBR-171 This user lacks rights in namespace 'default'")
                    .contains("kind: RoleBinding");
            assertThat(result.code()).isOne();
        } finally {
            TestClusters.kubectl("delete", "serviceaccount", account);
        }
    }

    @Test
    void aContainersSharedMemoryAndAnAddressThatLeadsNowhereAreFaults() throws Exception {
        Cli.Result result = TestClusters.besideDocker(cli)
                .run(
                        "doctor",
                        "--class-path",
                        Cli.classPathWithAeron(),
                        "--backend",
                        "docker",
                        "--image",
                        "fiber-test:jre",
                        "--set",
                        "docker.shm-size=1m",
                        "--set",
                        "advertised-address=192.0.2.1");

        assertThat(result.unwrapped())
                .contains("FAULT  job's memory     FBR-540 Where the job runs, /dev/shm has 1 MiB free")
                .contains("-> make it larger: fiber.docker.shm-size=64m on the backend docker")
                .contains("FAULT  udp              FBR-547 The job called this process (")
                .contains("advertised as 192.0.2.1) by UDP: ")
                .contains("-> let UDP pass from the jobs' hosts to this one");
        assertThat(result.code()).isOne();
    }

    @Test
    void nodesThatHaveATmpOfTheirOwnAreInOrder() throws Exception {
        Path config = TestClusters.state("slurm").resolve("namespaces/slurm.conf");
        assumeTrue(TestClusters.isRoot() && Files.exists(config), "no cluster of dev/slurm/up namespaces is up");

        Cli.Result result = cli.with("SLURM_CONF", config.toString()).run("doctor", "--backend", "slurm");

        assertThat(result.unwrapped())
                .contains("ok     tcp              the job reaches this process at ")
                .doesNotContain("FAULT");
    }

    /** Returns the command of a service account of the namespace {@code default}. */
    static Cli as(String account, Cli beside) throws IOException {
        String token = await().atMost(LIMIT).ignoreExceptions().until(() -> token(account), each -> !each.isEmpty());
        Path config = Files.writeString(
                beside.directory().resolve("kubeconfig"),
                DoctorCommandTest.kubeconfig(TestClusters.apiServer(), "token: " + token));
        return beside.with("KUBECONFIG", config.toString());
    }

    private static String token(String account) throws Exception {
        String secret = TestClusters.kubectl("get", "serviceaccount", account, "-o", "jsonpath={.secrets[0].name}");
        if (secret.isEmpty()) {
            return "";
        }
        String encoded = TestClusters.kubectl("get", "secret", secret, "-o", "jsonpath={.data.token}");
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.US_ASCII);
    }
}
