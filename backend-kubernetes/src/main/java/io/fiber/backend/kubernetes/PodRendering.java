// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.CapabilitiesBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.SeccompProfileBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fiber.backend.kubernetes.boot.Fetch;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Renders pods from a plan, and the Jobs of the API that create them.
 *
 * @param plan the plan of the pods
 * @param parts what was prepared from the plan
 */
record PodRendering(PodPlan plan, Parts parts) {

    static final String INIT = "class-path";
    static final String FETCH_JAR = "fetch.jar";
    static final String FETCH_PLAN = "fetch.plan";
    static final String FETCH_VOLUME = "fiber-fetch";
    static final String CLASS_PATH_VOLUME = "fiber-class-path";
    static final String CACHE_VOLUME = "fiber-class-path-cache";

    /** Without it, the cluster autoscaler keeps nodes for pods like these, which have local volumes and no controller. */
    private static final String SAFE_TO_EVICT = "cluster-autoscaler.kubernetes.io/safe-to-evict";

    private static final String FETCH_DIRECTORY = "/fiber/fetch";
    private static final String CACHE_DIRECTORY = "/fiber/class-path-cache";
    private static final String FALLBACK = "FallbackToLogsOnError";

    /**
     * What was prepared from a plan.
     *
     * @param secret the name of the submission's secret
     * @param command the words of the command
     * @param fetching whether a class path has to be fetched
     */
    record Parts(String secret, List<String> command, Fetching fetching) {}

    /** Whether a class path has to be fetched. */
    enum Fetching {
        /** The image has everything. */
        NOTHING,
        /** An init container fetches it. */
        CLASS_PATH
    }

    /** Returns the Job of the API that creates the pods of one instance, one after the other. */
    Job job(Submission.Instance instance) {
        Pod pod = pod(instance);
        ObjectMeta metadata = pod.getMetadata();
        return new JobBuilder()
                .withNewMetadata()
                .withName(metadata.getName())
                .withLabels(metadata.getLabels())
                .withAnnotations(metadata.getAnnotations())
                .endMetadata()
                .withNewSpec()
                .withParallelism(1)
                .withCompletions(1)
                .withBackoffLimit(plan.spec().restarts())
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(metadata.getLabels())
                .withAnnotations(metadata.getAnnotations())
                .endMetadata()
                .withSpec(pod.getSpec())
                .endTemplate()
                .endSpec()
                .build();
    }

    /** Returns the pod of one instance. */
    Pod pod(Submission.Instance instance) {
        PodPlan.Setting setting = plan.setting();
        Pod pod = setting.template().copy();
        name(pod.getMetadata(), instance);
        PodSpec spec = pod.getSpec();
        spec.setRestartPolicy("Never");
        place(spec);
        secure(spec);
        plan.spec()
                .timeLimit()
                .ifPresent(limit -> spec.setActiveDeadlineSeconds(
                        Math.max(1, limit.plusMillis(999).toSeconds())));
        List<VolumeMount> mounts = new Volumes(plan, parts).addTo(spec, instance);
        describe(spec, mounts, instance);
        if (parts.fetching() == Fetching.CLASS_PATH) {
            List<Container> inits =
                    new ArrayList<>(List.of(fetcher(spec.getContainers().get(0))));
            inits.addAll(spec.getInitContainers());
            spec.setInitContainers(inits);
        }
        return pod;
    }

    private void name(ObjectMeta metadata, Submission.Instance instance) {
        String job = instance.name();
        PodPlan.Setting setting = plan.setting();
        KubernetesOptions.Place place = setting.options().place();
        Map<String, String> labels = merged(metadata.getLabels(), place.labels());
        labels.putAll(plan.spec().labels());
        metadata.setLabels(setting.labels().ofJob(job, labels));
        Map<String, String> annotations = merged(metadata.getAnnotations(), place.annotations());
        // A worker's tasks run again elsewhere; a program of 'fiber run' does not.
        annotations.putIfAbsent(
                SAFE_TO_EVICT, String.valueOf(instance.bootstrap().length() > 0));
        if (plan.isRestarted()) {
            annotations.put(Restarts.ANNOTATION, String.valueOf(plan.spec().restarts()));
        }
        metadata.setAnnotations(annotations);
        metadata.setName(setting.labels().name(job));
        metadata.setGenerateName(null);
        metadata.setNamespace(null);
        plan.owner().ifPresent(own -> metadata.setOwnerReferences(List.of(own.reference())));
    }

    static <V> Map<String, V> merged(Map<String, V> below, Map<String, V> above) {
        Map<String, V> merged = new TreeMap<>();
        if (below != null) {
            merged.putAll(below);
        }
        merged.putAll(above);
        return merged;
    }

    private void place(PodSpec spec) {
        KubernetesOptions.Place place = plan.setting().options().place();
        place.serviceAccount().ifPresent(spec::setServiceAccountName);
        if (place.jobsSubmit()) {
            spec.setAutomountServiceAccountToken(true);
        }
        place.priorityClass().ifPresent(spec::setPriorityClassName);
        Map<String, String> nodes = merged(spec.getNodeSelector(), place.nodeSelector());
        spec.setNodeSelector(nodes.isEmpty() ? null : nodes);
        List<Toleration> tolerations = new ArrayList<>(spec.getTolerations());
        tolerations.addAll(place.tolerations());
        spec.setTolerations(tolerations);
        List<LocalObjectReference> secrets = new ArrayList<>(spec.getImagePullSecrets());
        plan.pullSecrets().forEach(name -> secrets.add(new LocalObjectReference(name)));
        spec.setImagePullSecrets(secrets);
    }

    /** Sets secure defaults, which a template may override. */
    private void secure(PodSpec spec) {
        if (spec.getAutomountServiceAccountToken() == null) {
            spec.setAutomountServiceAccountToken(false);
        }
        if (spec.getEnableServiceLinks() == null) {
            spec.setEnableServiceLinks(false);
        }
        if (spec.getShareProcessNamespace() == null) {
            spec.setShareProcessNamespace(true);
        }
        PodSecurityContext security =
                Optional.ofNullable(spec.getSecurityContext()).orElseGet(PodSecurityContext::new);
        boolean isRoot = Long.valueOf(0).equals(security.getRunAsUser());
        if (plan.container().user().isEmpty() && security.getRunAsNonRoot() == null && !isRoot) {
            security.setRunAsNonRoot(true);
        }
        plan.container().user().ifPresent(user -> {
            if (security.getRunAsUser() == null) {
                security.setRunAsUser((long) user.user());
                security.setRunAsNonRoot(user.user() > 0);
            }
            if (security.getRunAsGroup() == null) {
                security.setRunAsGroup((long) user.group());
            }
            if (security.getFsGroup() == null) {
                security.setFsGroup((long) user.group());
            }
        });
        if (security.getSeccompProfile() == null) {
            security.setSeccompProfile(
                    new SeccompProfileBuilder().withType("RuntimeDefault").build());
        }
        spec.setSecurityContext(security);
    }

    private static SecurityContext secured(SecurityContext templates) {
        SecurityContext security = Optional.ofNullable(templates).orElseGet(SecurityContext::new);
        if (security.getReadOnlyRootFilesystem() == null) {
            security.setReadOnlyRootFilesystem(true);
        }
        if (security.getAllowPrivilegeEscalation() == null) {
            security.setAllowPrivilegeEscalation(false);
        }
        if (security.getCapabilities() == null) {
            security.setCapabilities(new CapabilitiesBuilder().withDrop("ALL").build());
        }
        return security;
    }

    private void describe(PodSpec spec, List<VolumeMount> mounts, Submission.Instance instance) {
        Container worker = spec.getContainers().get(0);
        Optional<Long> graceS = Optional.ofNullable(spec.getTerminationGracePeriodSeconds());
        worker.setImage(plan.image());
        // Newer clusters accept a policy for the container itself: the program would run again.
        worker.setRestartPolicy(null);
        worker.setRestartPolicyRules(List.of());
        plan.container().pull().ifPresent(worker::setImagePullPolicy);
        List<String> command = plan.isRestarted()
                ? Restarts.words(
                        parts.command(), graceS, Optional.ofNullable(worker.getTerminationMessagePath()), Instant.now())
                : parts.command();
        worker.setCommand(command.stream().map(PodRendering::literally).toList());
        worker.setArgs(null);
        plan.spec()
                .workingDirectory()
                .ifPresent(path -> worker.setWorkingDir(path.toString().replace('\\', '/')));
        worker.setEnv(environment(worker.getEnv(), graceS, instance));
        List<VolumeMount> all = new ArrayList<>(worker.getVolumeMounts());
        all.addAll(mounts);
        worker.setVolumeMounts(all);
        worker.setResources(resources(worker.getResources()));
        worker.setSecurityContext(secured(worker.getSecurityContext()));
        worker.setTerminationMessagePolicy(FALLBACK);
    }

    /** Kubernetes replaces a dollar and brackets by variables; two dollars stand for one. */
    private static String literally(String text) {
        return text.replace("$", "$$");
    }

    private List<EnvVar> environment(List<EnvVar> templates, Optional<Long> graceS, Submission.Instance instance) {
        Map<String, EnvVar> variables = new LinkedHashMap<>();
        templates.forEach(each -> variables.put(each.getName(), each));
        variables.putIfAbsent("HOME", new EnvVar("HOME", Volumes.TEMPORARY, null));
        new TreeMap<>(plan.spec().environment())
                .forEach((name, value) -> variables.put(name, new EnvVar(name, literally(value), null)));
        if (plan.isRestarted()) {
            variables.putIfAbsent(
                    Restarts.STOP_NOTICE, new EnvVar(Restarts.STOP_NOTICE, Restarts.stopNotice(graceS), null));
        }
        // The host name of a pod with a long name does not identify it.
        variables.putIfAbsent(
                OwnPod.VARIABLE,
                new EnvVarBuilder()
                        .withName(OwnPod.VARIABLE)
                        .withNewValueFrom()
                        .withNewFieldRef(null, "metadata.name")
                        .endValueFrom()
                        .build());
        if (instance.bootstrap().length() > 0) {
            variables.put(
                    JobSpec.BOOTSTRAP_VARIABLE,
                    new EnvVar(
                            JobSpec.BOOTSTRAP_VARIABLE,
                            "file:" + Volumes.BOOTSTRAP_DIRECTORY + "/" + Volumes.BOOTSTRAP_FILE,
                            null));
        }
        return List.copyOf(variables.values());
    }

    private ResourceRequirements resources(ResourceRequirements templates) {
        ResourceRequirements resources = Optional.ofNullable(templates).orElseGet(ResourceRequirements::new);
        Map<String, Quantity> limits = merged(resources.getLimits(), plan.resources());
        limits.putAll(plan.devices());
        resources.setLimits(limits);
        resources.setRequests(merged(resources.getRequests(), plan.resources()));
        return resources;
    }

    private Container fetcher(Container worker) {
        List<String> command = new ArrayList<>(List.of(
                plan.program().executable(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                FETCH_DIRECTORY + "/" + FETCH_JAR,
                Fetch.class.getName(),
                FETCH_DIRECTORY + "/" + FETCH_PLAN,
                ClassPathServer.DIRECTORY));
        List<VolumeMount> mounts = new ArrayList<>(List.of(
                new VolumeMountBuilder()
                        .withName(FETCH_VOLUME)
                        .withMountPath(FETCH_DIRECTORY)
                        .withReadOnly(true)
                        .build(),
                mount(CLASS_PATH_VOLUME, ClassPathServer.DIRECTORY)));
        if (plan.classPathCache().isPresent()) {
            command.add(CACHE_DIRECTORY);
            mounts.add(mount(CACHE_VOLUME, CACHE_DIRECTORY));
        }
        return new ContainerBuilder()
                .withName(INIT)
                .withImage(worker.getImage())
                .withImagePullPolicy(worker.getImagePullPolicy())
                .withCommand(command)
                .withVolumeMounts(mounts)
                .withNewResources()
                .withLimits(withoutDevices(worker.getResources().getLimits()))
                .withRequests(withoutDevices(worker.getResources().getRequests()))
                .endResources()
                .withSecurityContext(worker.getSecurityContext())
                .withTerminationMessagePolicy(FALLBACK)
                .build();
    }

    /** Names of devices have a domain, unlike those of what a quota may require of every container. */
    private static Map<String, Quantity> withoutDevices(Map<String, Quantity> resources) {
        Map<String, Quantity> rest = new TreeMap<>(resources);
        rest.keySet().removeIf(name -> name.contains("/"));
        return rest;
    }

    private static VolumeMount mount(String volume, String path) {
        return new VolumeMountBuilder().withName(volume).withMountPath(path).build();
    }
}
