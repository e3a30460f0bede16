// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fiber.backend.kubernetes.ScriptedApiServer.Answer;
import io.fiber.backend.support.SessionLabels;
import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spec.Volume;
import io.fiber.spi.Environment;
import io.fiber.spi.OptionKey;
import io.fiber.spi.Options;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.host.LogLines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodRenderingTest {

    @TempDir
    Path directory;

    private static final Program.Java JAVA = new Program.Java(
            Optional.empty(),
            List.of("-XX:+UseSerialGC"),
            List.of("/fiber/class-path/0123456789ab/app.jar"),
            List.of(),
            "my.Program",
            List.of("$HOME", "$(HOME)"));

    /** Returns options of these values. */
    static KubernetesOptions options(Map<String, String> values) {
        Map<String, OptionKey> keys = new TreeMap<>();
        KubernetesOptions.keys().forEach(key -> keys.put(key.name(), key));
        return KubernetesOptions.of(Options.of(values.entrySet().stream()
                .map(value -> new Options.Value(requireNonNull(keys.get(value.getKey())), value.getValue(), "a test"))
                .toList()));
    }

    static PodPlan plan(JobSpec.Builder spec, Map<String, String> options) {
        return plan(spec, options, Template.empty(), Optional.empty());
    }

    private static PodPlan plan(
            JobSpec.Builder spec, Map<String, String> options, Template template, Optional<OwnPod> own) {
        return new PodPlan(
                spec.build(), new PodPlan.Setting(options(options), template, own, Cluster.labels("abcdefgh1234")));
    }

    private static Pod render(PodPlan plan) {
        PodRendering.Fetching fetching = plan.spec().program() instanceof Program.Java
                ? PodRendering.Fetching.CLASS_PATH
                : PodRendering.Fetching.NOTHING;
        PodRendering.Parts parts = new PodRendering.Parts(
                "fiber-abcdefgh1234-0", plan.words(plan.spec().program()), fetching);
        return new PodRendering(plan, parts).pod(new Submission.Instance("pool-1-3", Secret.of(new byte[] {1, 2, 3})));
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = requireNonNull(PodRenderingTest.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Container worker(Pod pod) {
        return pod.getSpec().getContainers().get(0);
    }

    @Test
    void podOfAJavaProgramIsTheGoldenOne() throws IOException {
        PodPlan plan = plan(
                JobSpec.builder(JAVA)
                        .resources(Resources.cpus(0.5).withMemory("1g").withGpus(2))
                        .labels(Map.of("team", "blue"))
                        .environment(Map.of("PRICE", "$5"))
                        .volumes(List.of(Volume.of("data", "/data").readOnly(), Volume.of("/mnt/scratch", "/scratch")))
                        .timeLimit(Duration.ofMillis(90_500))
                        .workingDirectory(Path.of("/data")),
                Map.of(
                        "image", "registry.example.org/tools:7",
                        "pull", "missing",
                        "pull-secrets", "login",
                        "service-account", "worker",
                        "node-selector", "disk=ssd",
                        "tolerations", "gpu=yes:NoSchedule, spot:NoExecute",
                        "priority-class", "batch",
                        "annotations", "owner=me",
                        "devices", "example.org/fpga=1"));

        assertThat(Serialization.asYaml(render(plan))).isEqualTo(golden("pod.yaml"));
    }

    @Test
    void cacheOfClassPathsIsForTheInitContainerAlone() {
        Pod ofClaim = render(plan(JobSpec.builder(JAVA), Map.of("class-path-cache", "jars")));
        Pod ofDirectory = render(plan(JobSpec.builder(JAVA), Map.of("class-path-cache", "/var/cache/jars")));

        Container fetcher = ofClaim.getSpec().getInitContainers().get(0);
        assertThat(fetcher.getCommand()).endsWith("/fiber/class-path", "/fiber/class-path-cache");
        assertThat(fetcher.getVolumeMounts())
                .extracting(VolumeMount::getName, VolumeMount::getMountPath)
                .contains(tuple("fiber-class-path-cache", "/fiber/class-path-cache"));
        assertThat(worker(ofClaim).getVolumeMounts())
                .extracting(VolumeMount::getName)
                .doesNotContain("fiber-class-path-cache");
        assertThat(cacheOf(ofClaim).getPersistentVolumeClaim().getClaimName()).isEqualTo("jars");
        assertThat(cacheOf(ofDirectory).getHostPath().getPath()).isEqualTo("/var/cache/jars");
    }

    private static io.fabric8.kubernetes.api.model.Volume cacheOf(Pod pod) {
        return pod.getSpec().getVolumes().stream()
                .filter(volume -> volume.getName().equals("fiber-class-path-cache"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void tokenIsMountedWhereItIsAskedFor() {
        Map<String, String> options = Map.of("service-account", "fiber", "jobs-submit", "true");

        Pod pod = render(plan(JobSpec.builder(JAVA), options));

        assertThat(pod.getSpec().getServiceAccountName()).isEqualTo("fiber");
        assertThat(pod.getSpec().getAutomountServiceAccountToken()).isTrue();
    }

    @Test
    void optionsOfAJobGoBeforeThoseOfTheSession() {
        Options session = Options.of(
                List.of(value("priority-class", "batch"), value("annotations", "owner=me"), value("user", "7:7")));
        JobSpec spec = JobSpec.builder(JAVA)
                .options(Map.of("priority-class", "urgent", "node-selector", "disk=ssd"))
                .build();
        PodPlan.Setting setting = new PodPlan.Setting(
                KubernetesOptions.of(session), Template.empty(), Optional.empty(), Cluster.labels("abcdefgh1234"));

        Pod pod = render(new PodPlan(spec, setting.of(spec, session)));

        assertThat(pod.getSpec().getPriorityClassName()).isEqualTo("urgent");
        assertThat(pod.getSpec().getNodeSelector()).containsEntry("disk", "ssd");
        assertThat(pod.getMetadata().getAnnotations()).containsEntry("owner", "me");
    }

    private static Options.Value value(String name, String text) {
        OptionKey key = KubernetesOptions.keys().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        return new Options.Value(key, text, "a test");
    }

    @Test
    void ownPodGivesImageLoginsAndOwner() {
        OwnPod own = new OwnPod("master-0", "uid-7", "app:3", List.of("own-login"), Optional.of("10.1.2.3"));

        Pod pod = render(plan(JobSpec.builder(JAVA), Map.of(), Template.empty(), Optional.of(own)));

        assertThat(worker(pod).getImage()).isEqualTo("app:3");
        assertThat(pod.getSpec().getImagePullSecrets())
                .singleElement()
                .satisfies(secret -> assertThat(secret.getName()).isEqualTo("own-login"));
        assertThat(pod.getMetadata().getOwnerReferences()).singleElement().satisfies(owner -> {
            assertThat(owner.getKind()).isEqualTo("Pod");
            assertThat(owner.getName()).isEqualTo("master-0");
            assertThat(owner.getUid()).isEqualTo("uid-7");
        });
    }

    @Test
    void ownPodOfAnotherNamespaceIsNotTakenForOneOfItsNameThere() throws IOException {
        String pod = """
                {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "p", "uid": "u"}, "status": {"podIP": "10.1.2.3"},
                 "spec": {"containers": [{"name": "c", "image": "app:3"}], "imagePullSecrets": [{"name": "login"}]}}
                """;
        try (ScriptedApiServer server = new ScriptedApiServer()
                        .with("GET " + ScriptedApiServer.NAMESPACE + "/pods/p", Answer.of(200, pod));
                Cluster cluster = server.connect(directory, "token: secret");
                LogLines said = LogLines.of(OwnPod.class.getName(), java.util.logging.Level.WARNING)) {
            Environment environment = Environment.of(Map.of("HOSTNAME", "p"), Map.of());

            assertThat(OwnPod.find(cluster, environment, "mine")).isEmpty();
            assertThat(said.messages())
                    .singleElement()
                    .asString()
                    .startsWith("This process''s pod is in namespace ''{0}'', and its jobs are in ''{1}'': ");
            assertThat(OwnPod.find(cluster, environment, "jobs"))
                    .contains(new OwnPod("p", "u", "app:3", List.of("login"), Optional.of("10.1.2.3")));
        }
    }

    @Test
    void podIsToldItsName() {
        EnvVar name = worker(render(plan(JobSpec.builder(JAVA), Map.of()))).getEnv().stream()
                .filter(variable -> variable.getName().equals("POD_NAME"))
                .findFirst()
                .orElseThrow();
        assertThat(name.getValueFrom().getFieldRef().getFieldPath()).isEqualTo("metadata.name");
    }

    @Test
    void templateKeepsWhatIsNotOursToSet() {
        Template template = Template.of("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: ignored
                  labels: {io.fiber.session: ignored, tier: low}
                spec:
                  runtimeClassName: nvidia
                  restartPolicy: Always
                  securityContext: {runAsUser: 1234, runAsNonRoot: true}
                  containers:
                  - name: sidecar
                    image: proxy:1
                  - name: worker
                    image: from-template:2
                    args: [ignored]
                    env:
                    - {name: HTTP_PROXY, value: "http://proxy"}
                    resources:
                      limits: {memory: 9Gi, example.org/licence: "1"}
                    volumeMounts:
                    - {name: cache, mountPath: /tmp}
                  volumes:
                  - name: cache
                    emptyDir: {}
                """);

        Pod pod = render(plan(
                JobSpec.builder(JAVA).resources(Resources.memory("64m")),
                Map.of("image", "ours:1"),
                template,
                Optional.empty()));

        assertThat(pod.getMetadata().getName()).isEqualTo("fiber-abcdefgh1234-pool-1-3");
        assertThat(pod.getMetadata().getLabels())
                .containsEntry("tier", "low")
                .containsEntry(SessionLabels.SESSION, "abcdefgh1234")
                .containsEntry(SessionLabels.JOB, "pool-1-3");
        assertThat(pod.getSpec().getRuntimeClassName()).isEqualTo("nvidia");
        assertThat(pod.getSpec().getRestartPolicy()).isEqualTo("Never");
        assertThat(pod.getSpec().getSecurityContext().getRunAsUser()).isEqualTo(1234);
        assertThat(pod.getSpec().getContainers()).extracting(Container::getName).containsExactly("worker", "sidecar");
        assertThat(worker(pod).getImage()).isEqualTo("ours:1");
        assertThat(worker(pod).getArgs()).isNullOrEmpty();
        assertThat(worker(pod).getEnv()).extracting(EnvVar::getName).contains("HTTP_PROXY", JobSpec.BOOTSTRAP_VARIABLE);
        assertThat(worker(pod).getResources().getLimits())
                .containsEntry("memory", new Quantity(String.valueOf((64L + 192 + 64) << 20)))
                .containsEntry("example.org/licence", new Quantity("1"));
        assertThat(worker(pod).getVolumeMounts())
                .extracting(VolumeMount::getMountPath)
                .containsOnlyOnce("/tmp");
    }

    @Test
    void sidecarsOfTheTemplateStartBehindTheClassPathAndTheProgramIsNotStartedAgain() {
        Template template = Template.of("""
                apiVersion: v1
                kind: Pod
                spec:
                  resources: {limits: {memory: 2Gi}}
                  initContainers:
                  - {name: proxy, image: "proxy:2", restartPolicy: Always}
                  containers:
                  - name: worker
                    restartPolicy: OnFailure
                    restartPolicyRules:
                    - action: Restart
                      exitCodes: {operator: In, values: [42]}
                """);

        Pod pod = render(plan(JobSpec.builder(JAVA), Map.of(), template, Optional.empty()));

        assertThat(pod.getSpec().getInitContainers())
                .extracting(Container::getName, Container::getRestartPolicy)
                .containsExactly(tuple("class-path", null), tuple("proxy", "Always"));
        assertThat(pod.getSpec().getResources().getLimits()).containsEntry("memory", new Quantity("2Gi"));
        assertThat(worker(pod).getRestartPolicy()).isNull();
        assertThat(worker(pod).getRestartPolicyRules()).isEmpty();
        assertThatThrownBy(() -> Template.of("""
                        apiVersion: v1
                        kind: Pod
                        spec:
                          containers:
                          - name: watchdog
                            restartPolicyRules:
                            - action: RestartAllContainers
                        """))
                .hasMessage(
                        "the container 'watchdog' has a restart rule with the action RestartAllContainers, which would"
                                + " run the job's program again");
    }

    @Test
    void aJobThatTheClusterKeepsBelongsToNoOtherPod() {
        Optional<OwnPod> own = Optional.of(new OwnPod("m", "u", "own:1", List.of(), Optional.empty()));
        JobSpec.Builder detached = JobSpec.builder(JAVA).labels(Map.of(DetachedJobs.RUN, "k3f"));

        assertThat(render(plan(JobSpec.builder(JAVA), Map.of(), Template.empty(), own))
                        .getMetadata()
                        .getOwnerReferences())
                .hasSize(1);
        Pod pod = render(plan(detached, Map.of(), Template.empty(), own));
        assertThat(pod.getMetadata().getOwnerReferences()).isEmpty();
        assertThat(pod.getMetadata().getLabels()).containsEntry("io.fiber.run", "k3f");
    }

    private static JobSpec.Builder restarted(Program program) {
        return JobSpec.builder(program)
                .labels(Map.of(DetachedJobs.RUN, "k3f"))
                .timeLimit(Duration.ofMinutes(1))
                .restarts(3);
    }

    private static Job job(PodPlan plan) {
        PodRendering.Parts parts = new PodRendering.Parts(
                "fiber-abcdefgh1234-0", plan.words(plan.spec().program()), PodRendering.Fetching.NOTHING);
        return new PodRendering(plan, parts).job(new Submission.Instance("main", Secret.empty()));
    }

    @Test
    void programThatIsToBeStartedAgainIsAJobWithTheSamePod() {
        Job job = job(plan(restarted(JAVA), Map.of("class-path", "image")));

        assertThat(job.getMetadata().getName()).isEqualTo("fiber-abcdefgh1234-main");
        assertThat(job.getSpec())
                .returns(1, io.fabric8.kubernetes.api.model.batch.v1.JobSpec::getParallelism)
                .returns(1, io.fabric8.kubernetes.api.model.batch.v1.JobSpec::getCompletions)
                .returns(3, io.fabric8.kubernetes.api.model.batch.v1.JobSpec::getBackoffLimit);
        PodTemplateSpec template = job.getSpec().getTemplate();
        assertThat(template.getMetadata().getName()).isNull();
        assertThat(List.of(template.getMetadata(), job.getMetadata())).allSatisfy(metadata -> {
            assertThat(metadata.getLabels())
                    .containsEntry("io.fiber.run", "k3f")
                    .containsEntry("io.fiber.job", "main");
            assertThat(metadata.getAnnotations()).containsEntry(Restarts.ANNOTATION, "3");
        });
        assertThat(template.getSpec().getRestartPolicy()).isEqualTo("Never");
        assertThat(template.getSpec().getActiveDeadlineSeconds()).isEqualTo(60);
        Container worker = template.getSpec().getContainers().get(0);
        assertThat(worker.getCommand()).startsWith("sh", "-c").contains("java", "my.Program", "$$HOME");
        assertThat(worker.getEnv()).contains(new EnvVar("FIBER_STOP_NOTICE", "25s", null));
    }

    @Test
    void noticeOfTheUserAndGraceOfTheTemplateApply() {
        Template template = Template.of("kind: Pod\napiVersion: v1\nspec: {terminationGracePeriodSeconds: 120}\n");
        JobSpec.Builder set = restarted(JAVA).environment(Map.of("FIBER_STOP_NOTICE", "3s"));

        assertThat(worker(job(plan(restarted(JAVA), Map.of("class-path", "image"), template, Optional.empty())))
                        .getEnv())
                .contains(new EnvVar("FIBER_STOP_NOTICE", "115s", null));
        assertThat(worker(job(plan(set, Map.of("class-path", "image")))).getEnv())
                .contains(new EnvVar("FIBER_STOP_NOTICE", "3s", null));
    }

    private static Container worker(Job job) {
        return job.getSpec().getTemplate().getSpec().getContainers().get(0);
    }

    @Test
    void programThatCannotBeStartedAgainIsRejectedWithWhatToDo() {
        Program tool = new Program.Command(List.of("tool"));
        Template two = Template.of(
                "kind: Pod\napiVersion: v1\nspec: {containers: [{name: worker}, {name: proxy, image: p}]}\n");

        assertThatThrownBy(() -> plan(restarted(JAVA), Map.of()))
                .isInstanceOf(JobRejectedException.class)
                .hasMessage("FBR-185 The cluster cannot start this program again (3 restarts are asked for): its pod"
                        + " fetches the class path from this host, which may be gone by then. Put the class path into"
                        + " the image: use --push-image, or set fiber.kubernetes.class-path to image if the image has"
                        + " it at the same paths. Nothing was started.");
        assertThatThrownBy(() -> plan(restarted(tool), Map.of(), two, Optional.empty()))
                .isInstanceOf(JobRejectedException.class)
                .hasMessageContaining("its pod template has other containers [proxy],");
        assertThatThrownBy(() -> plan(JobSpec.builder(tool).restarts(1), Map.of()))
                .isInstanceOf(JobRejectedException.class)
                .hasMessageContaining("it ends with the program that submits it.");
    }

    @Test
    void imageIsTakenFromTheNearestThatNamesOne() {
        Template template = Template.of("kind: Pod\napiVersion: v1\nspec: {containers: [{image: template:1}]}\n");
        Optional<OwnPod> own = Optional.of(new OwnPod("m", "u", "own:1", List.of(), Optional.empty()));

        assertThat(plan(JobSpec.builder(JAVA).image("asked:1"), Map.of("image", "option:1"), template, own)
                        .image())
                .isEqualTo("asked:1");
        assertThat(plan(JobSpec.builder(JAVA), Map.of("image", "option:1"), template, own)
                        .image())
                .isEqualTo("option:1");
        assertThat(plan(JobSpec.builder(JAVA), Map.of(), template, own).image()).isEqualTo("template:1");
        assertThat(plan(JobSpec.builder(JAVA), Map.of(), Template.empty(), own).imageOrigin())
                .isEqualTo("this program's own");
        assertThat(plan(JobSpec.builder(JAVA), Map.of()).image())
                .isEqualTo("eclipse-temurin:" + Runtime.version().feature() + "-jre");
    }

    @Test
    void commandNeedsNoClassPath() {
        Pod pod = render(plan(JobSpec.builder(new Program.Command(List.of("sleep", "$$"))), Map.of("user", "image")));

        assertThat(pod.getSpec().getInitContainers()).isEmpty();
        assertThat(worker(pod).getCommand()).containsExactly("sleep", "$$$$");
        assertThat(pod.getSpec().getSecurityContext().getRunAsUser()).isNull();
    }

    /** The Pod Security Standard 'restricted' requires it of every pod. */
    @Test
    void userOfTheImageIsNotRootUnlessTheTemplateSaysSo() {
        Map<String, String> ofImage = Map.of("user", "image");
        Template root = Template.of("kind: Pod\napiVersion: v1\nspec: {securityContext: {runAsUser: 0}}");

        assertThat(render(plan(JobSpec.builder(JAVA), ofImage))
                        .getSpec()
                        .getSecurityContext()
                        .getRunAsNonRoot())
                .isTrue();
        assertThat(render(plan(JobSpec.builder(JAVA), ofImage, root, Optional.empty()))
                        .getSpec()
                        .getSecurityContext()
                        .getRunAsNonRoot())
                .isNull();
    }

    /** A quota may require requests and limits of every container. */
    @Test
    void initContainerHasTheResourcesOfTheTemplateExceptDevices() {
        Template template = Template.of("""
                kind: Pod
                apiVersion: v1
                spec:
                  containers:
                  - name: worker
                    resources:
                      requests: {cpu: 100m, ephemeral-storage: 1Gi}
                      limits: {example.org/fpga: 1}
                """);

        Pod pod = render(
                plan(JobSpec.builder(JAVA).resources(Resources.memory("64m")), Map.of(), template, Optional.empty()));

        ResourceRequirements init = pod.getSpec().getInitContainers().get(0).getResources();
        assertThat(init.getRequests())
                .containsOnlyKeys("cpu", "ephemeral-storage", "memory")
                .containsEntry("cpu", new Quantity("100m"));
        assertThat(init.getLimits()).containsOnlyKeys("memory");
        assertThat(worker(pod).getResources().getLimits()).containsOnlyKeys("memory", "example.org/fpga");
    }

    @Test
    void autoscalerMayEvictWorkersAndNotPrograms() {
        String annotation = "cluster-autoscaler.kubernetes.io/safe-to-evict";
        PodPlan plan = plan(JobSpec.builder(new Program.Command(List.of("java"))), Map.of());
        PodRendering rendering =
                new PodRendering(plan, new PodRendering.Parts("s", List.of("java"), PodRendering.Fetching.NOTHING));

        assertThat(render(plan).getMetadata().getAnnotations()).containsEntry(annotation, "true");
        assertThat(rendering
                        .pod(new Submission.Instance("run", Secret.of(new byte[0])))
                        .getMetadata()
                        .getAnnotations())
                .containsEntry(annotation, "false");
        assertThat(render(plan(
                                JobSpec.builder(new Program.Command(List.of("java"))),
                                Map.of("annotations", annotation + "=false")))
                        .getMetadata()
                        .getAnnotations())
                .containsEntry(annotation, "false");
    }

    @Test
    void userOfTheImageCanReadTheSecret() {
        assertThat(modes(Map.of())).containsExactly(0440, 0440);
        assertThat(modes(Map.of("user", "image"))).containsExactly(0444, 0444);
        Template grouped = Template.of("kind: Pod\napiVersion: v1\nspec: {securityContext: {fsGroup: 7}}\n");
        assertThat(modes(plan(JobSpec.builder(JAVA), Map.of("user", "image"), grouped, Optional.empty())))
                .containsExactly(0440, 0440);
    }

    private static List<Integer> modes(Map<String, String> options) {
        return modes(plan(JobSpec.builder(JAVA), options));
    }

    private static List<Integer> modes(PodPlan plan) {
        return render(plan).getSpec().getVolumes().stream()
                .filter(volume -> volume.getSecret() != null)
                .map(volume -> volume.getSecret().getDefaultMode())
                .toList();
    }

    @Test
    void whatNoPodCanHaveIsRefused() {
        assertThatThrownBy(() -> plan(JobSpec.builder(JAVA).labels(Map.of("team", "blue and red")), Map.of()))
                .isInstanceOf(JobRejectedException.class)
                .hasMessageStartingWith("FBR-179 The label 'team=blue and red' is not one that Kubernetes accepts");
        assertThatThrownBy(() -> plan(JobSpec.builder(JAVA).workingDirectory(Path.of("data")), Map.of()))
                .isInstanceOf(JobRejectedException.class)
                .hasMessage("FBR-179 The working directory 'data' is relative; expected an absolute path in the pod.");
    }
}
