// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fiber.backend.support.BackendThreads;
import io.fiber.backend.support.PackedPath;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.backend.TooManyJobsException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;

/** Creates the secret and the pods of a submission, all or none. Waits for the API server. Thread-safe. */
final class Launcher {

    /** Replaces secret values in a preview; not valid Base64. */
    private static final String NOT_SHOWN = "(not shown)";

    /** What each document begins with. */
    private static final String YAML_START = "---\n";

    /** The API server's limit for the values of a secret. */
    private static final long MAX_SECRET_BYTES = 1L << 20;

    private final Cluster cluster;
    private final Tools tools;
    private final Consumer<KubernetesJob> whenEnded;
    private final AtomicInteger submissions = new AtomicInteger();

    /**
     * What it works with.
     *
     * @param server the server from which class paths are fetched
     * @param threads the threads that wait for the API server
     * @param parking where pods wait that cannot be created yet
     * @param jobs all jobs by the names of their pods; the watch finds them there
     */
    record Tools(ClassPathServer server, BackendThreads threads, Parking parking, Map<String, KubernetesJob> jobs) {}

    Launcher(Cluster cluster, Tools tools, Consumer<KubernetesJob> whenEnded) {
        this.cluster = cluster;
        this.tools = tools;
        this.whenEnded = whenEnded;
    }

    /**
     * A job and its future pod.
     *
     * @param created what is created: the pod, or a Job of the API that creates it
     */
    record PlannedPod(KubernetesJob job, Pod pod, HasMetadata created) {}

    /**
     * Creates a pod for each instance, or a Job of the API if its program is to be started again; a pod that exceeds a
     * quota waits until there is room.
     *
     * @throws JobRejectedException FBR-172 if the namespace does not exist, FBR-176 if the cluster rejects a pod or the
     *     secret, FBR-179 if the directory of log files cannot be created; {@link TooManyJobsException} if the secret
     *     would be too large
     */
    List<KubernetesJob> launch(Submission submission, PodPlan plan, JobListener listener) {
        if (plan.isRestarted()) {
            Rights.checkForRestarts(cluster, tools.threads());
        }
        Recipe recipe = recipe(submission, plan, submissions.getAndIncrement(), tools.server()::offer);
        String secret = recipe.parts().secret();
        // Planned before anything is created, because a plan may fail.
        PodRendering rendering = new PodRendering(plan, recipe.parts());
        List<PlannedPod> planned = new ArrayList<>();
        for (Submission.Instance instance : submission.instances()) {
            String pod = plan.setting().labels().name(instance.name());
            JobText text = JobText.of(
                    cluster,
                    pod,
                    instance.name(),
                    new JobText.Reader(plan.spec().output(), tools.threads()));
            KubernetesJob.Place place = new KubernetesJob.Place(
                    pod, secret, plan, recipe.parts().fetching(), text, tools.parking(), cluster, tools.threads());
            KubernetesJob job = new KubernetesJob(instance.name(), place, listener, whenEnded);
            Pod rendered = rendering.pod(instance);
            planned.add(new PlannedPod(job, rendered, plan.isRestarted() ? rendering.job(instance) : rendered));
        }
        createSecret(secretOf(submission, plan, secret, recipe.fetchPlan()), planned.size());
        planned.forEach(each -> tools.jobs().put(each.job().id(), each.job()));
        createPods(planned, secret);
        return planned.stream().map(PlannedPod::job).toList();
    }

    /**
     * What the pods of a submission have in common.
     *
     * @param fetchPlan what the init container fetches; empty for nothing
     */
    private record Recipe(PodRendering.Parts parts, String fetchPlan) {}

    private Recipe recipe(
            Submission submission, PodPlan plan, int number, Function<PackedPath.Placed, String> fetchPlan) {
        String secret = plan.setting().labels().name(String.valueOf(number));
        if (submission.spec().program() instanceof Program.Java java && plan.isFetched()) {
            PackedPath.Placed placed = tools.server().place(submission, java);
            List<String> command = plan.words(placed.program());
            return new Recipe(
                    new PodRendering.Parts(secret, command, PodRendering.Fetching.CLASS_PATH), fetchPlan.apply(placed));
        }
        List<String> command = plan.words(submission.spec().program());
        return new Recipe(new PodRendering.Parts(secret, command, PodRendering.Fetching.NOTHING), "");
    }

    /**
     * Returns the documents of a submission in the format of {@code kubectl}, with only the names of the secret's
     * entries. A comment in the first pod explains the parts of the pods' memory.
     */
    String preview(Submission submission, PodPlan plan) {
        Recipe recipe = recipe(submission, plan, submissions.get(), placed -> NOT_SHOWN);
        Secret secret = secretOf(submission, plan, recipe.parts().secret(), recipe.fetchPlan());
        StringBuilder documents = new StringBuilder();
        if (!secret.getData().isEmpty()) {
            secret.getData().replaceAll((name, content) -> NOT_SHOWN);
            documents.append(Serialization.asYaml(secret));
        }
        PodRendering rendering = new PodRendering(plan, recipe.parts());
        String comment = plan.limitWords()
                .map(words -> YAML_START + "# Memory of each pod: " + words + "\n")
                .orElse(YAML_START);
        for (Submission.Instance instance : submission.instances()) {
            documents.append(
                    Serialization.asYaml(plan.isRestarted() ? rendering.job(instance) : rendering.pod(instance))
                            .replaceFirst("^" + YAML_START, Matcher.quoteReplacement(comment)));
            comment = YAML_START;
        }
        return documents.toString();
    }

    private Secret secretOf(Submission submission, PodPlan plan, String name, String fetchPlan) {
        Map<String, String> data = new TreeMap<>();
        if (!fetchPlan.isEmpty()) {
            data.put(PodRendering.FETCH_JAR, base64(ClassPathServer.fetcher()));
            data.put(PodRendering.FETCH_PLAN, base64(fetchPlan.getBytes(StandardCharsets.UTF_8)));
        }
        for (Submission.Instance instance : submission.instances()) {
            if (instance.bootstrap().length() > 0) {
                byte[] bytes = instance.bootstrap().copyBytes();
                data.put(instance.name(), base64(bytes));
                Arrays.fill(bytes, (byte) 0);
            }
        }
        SecretBuilder secret = new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(plan.setting().labels().ofSession())
                .endMetadata()
                .withImmutable(true)
                .withData(data);
        plan.owner()
                .ifPresent(own -> secret.editMetadata()
                        .withOwnerReferences(own.reference())
                        .endMetadata());
        return secret.build();
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private void createSecret(Secret secret, int count) {
        if (secret.getData().isEmpty()) {
            return;
        }
        // Base64 has four characters for three bytes. Padding counts, so the estimate is up to two bytes per value
        // high.
        long bytes = secret.getData().values().stream()
                .mapToLong(text -> text.length() * 3L / 4)
                .sum();
        if (bytes > MAX_SECRET_BYTES) {
            throw new TooManyJobsException("FBR-176 The secret of " + count + " pods would have " + bytes
                    + " bytes; Kubernetes takes at most " + MAX_SECRET_BYTES + ". Start fewer at once.");
        }
        try {
            cluster.create(secret);
        } catch (Refusal e) {
            throw rejected("secret of a submission", e, Advice.on(e.words()));
        }
    }

    private void createPods(List<PlannedPod> planned, String secret) {
        List<Supplier<Optional<String>>> questions = new ArrayList<>();
        planned.forEach(each -> questions.add(() -> createPod(each)));
        BackendThreads.Answers<Optional<String>> answers = tools.threads().all(questions);
        answers.failure("A pod could not be made").ifPresent(failure -> {
            planned.forEach(each -> deletePod(each.job()));
            quietly(() -> cluster.deleteSecret(secret));
            throw failure;
        });
        // The state of a job belongs to the backend's own thread.
        tools.threads().later(() -> {
            for (int i = 0; i < planned.size(); i++) {
                admit(planned.get(i), answers.given().get(i));
            }
        });
    }

    /** Creates a pod; returns why it has to wait, if it has to. */
    private Optional<String> createPod(PlannedPod planned) {
        try {
            cluster.create(planned.created());
            return Optional.empty();
        } catch (BackendUnavailableException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (Refusal e) {
            if (e.isPassing()) {
                return Optional.of(Advice.onWaiting(e.words(), planned.job().plan()));
            }
            throw rejected(
                    "pod of process '" + planned.job().name() + "'",
                    e,
                    Advice.onPod(e.words(), planned.job().plan(), planned.pod()));
        }
    }

    private void admit(PlannedPod planned, Optional<String> why) {
        planned.job().admit();
        if (why.isEmpty()) {
            planned.job().made();
        } else {
            tools.parking().park(planned, why.get());
        }
    }

    private void deletePod(KubernetesJob job) {
        tools.jobs().remove(job.id());
        quietly(() -> job.removePodNow(Cluster.SHORTEST_GRACE_S));
    }

    private static void quietly(Runnable removal) {
        try {
            removal.run();
        } catch (BackendException | Refusal e) {
            System.getLogger(Launcher.class.getName())
                    .log(Level.DEBUG, "Leftovers of the failed submission are removed at the end of the session.", e);
        }
    }

    /** Returns the exception for something that the cluster rejects. */
    JobRejectedException rejected(String object, Refusal e, String advice) {
        if (e.isNamespaceGone()) {
            return new JobRejectedException(
                    "FBR-172 The namespace '" + cluster.namespace() + "' does not exist or is being deleted:"
                            + " " + e.words()
                            + ". Name another one in fiber.kubernetes.namespace, or create it: kubectl create"
                            + " namespace "
                            + cluster.namespace() + ". Nothing was started.",
                    e);
        }
        return new JobRejectedException(
                "FBR-176 The cluster refused the " + object + ": " + e.words() + ". " + advice
                        + " Nothing was started.",
                e);
    }
}
