// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The user's own pod, as a basis for ours. Fields that we must set are overwritten, our defaults may be overridden, and
 * everything else is kept. Immutable.
 */
final class Template {

    /** The name of the container that runs a job. */
    static final String WORKER = "worker";

    private static final String RESTART_OF_ALL = "RestartAllContainers";

    private final Pod pod;

    private Template(Pod pod) {
        this.pod = pod;
    }

    /** Returns an empty template. */
    static Template empty() {
        return new Template(new PodBuilder()
                .withNewMetadata()
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .build());
    }

    /** Returns its service account. */
    Optional<String> serviceAccount() {
        return Optional.ofNullable(pod.getSpec().getServiceAccountName());
    }

    /**
     * Reads the template that options name; without one, returns an empty template.
     *
     * @throws BackendException FBR-180 if the file is not the YAML of a pod, or has a field that a pod does not have
     */
    static Template of(KubernetesOptions options) {
        return options.template().map(Template::read).orElseGet(Template::empty);
    }

    /**
     * Reads a template.
     *
     * @throws BackendException FBR-180 if the file is not the YAML of a pod, or has a field that a pod does not have
     */
    static Template read(Path file) {
        try {
            return of(Files.readString(file));
        } catch (IllegalArgumentException e) {
            throw unusable(file, String.valueOf(e.getMessage()), e);
        } catch (IOException | RuntimeException e) {
            throw unusable(file, e.toString(), e);
        }
    }

    private static BackendException unusable(Path file, String why, Exception cause) {
        return new BackendException(
                "FBR-180 The pod template '" + file + "' (from fiber.kubernetes.pod-template) cannot be used: " + why
                        + (why.endsWith("?") ? "" : ".")
                        + " Expected the YAML of one object of kind Pod, as 'kubectl create --dry-run=server' takes it.",
                cause);
    }

    static Template of(String yaml) {
        if (!(new KubernetesSerialization().unmarshal(yaml) instanceof Pod pod)) {
            throw new IllegalArgumentException("it is not of kind Pod");
        }
        TemplateFields.check(pod);
        refuseRestarts(pod);
        if (pod.getMetadata() == null) {
            pod.setMetadata(new ObjectMeta());
        }
        if (pod.getSpec() == null) {
            pod.setSpec(new PodSpec());
        }
        return new Template(pod);
    }

    /**
     * Rejects restart rules: in newer clusters, a container beside the program's may have the whole pod started again.
     */
    private static void refuseRestarts(Pod pod) {
        Stream.ofNullable(pod.getSpec())
                .flatMap(spec -> Stream.concat(spec.getContainers().stream(), spec.getInitContainers().stream()))
                .filter(each ->
                        each.getRestartPolicyRules().stream().anyMatch(rule -> RESTART_OF_ALL.equals(rule.getAction())))
                .findFirst()
                .ifPresent(container -> {
                    throw new IllegalArgumentException("the container '" + container.getName()
                            + "' has a restart rule with the action " + RESTART_OF_ALL
                            + ", which would run the job's program again");
                });
    }

    /** Returns a copy of the pod, whose first container is the one that runs the job. */
    Pod copy() {
        Pod copy = new PodBuilder(pod).withStatus(null).build();
        List<Container> containers = new ArrayList<>(copy.getSpec().getContainers());
        Container worker = workerOf(containers).orElseGet(Container::new);
        containers.remove(worker);
        worker.setName(WORKER);
        containers.add(0, worker);
        copy.getSpec().setContainers(containers);
        return copy;
    }

    /** Returns the names of the containers beside the one that runs the job. */
    List<String> others() {
        List<Container> others = new ArrayList<>(pod.getSpec().getContainers());
        workerOf(others).ifPresent(others::remove);
        return others.stream().map(Container::getName).toList();
    }

    /** Returns its image for jobs. */
    Optional<String> image() {
        return workerOf(pod.getSpec().getContainers()).map(Container::getImage);
    }

    /** Returns the home directory that it sets for jobs. */
    Optional<String> home() {
        return workerOf(pod.getSpec().getContainers()).stream()
                .flatMap(worker -> worker.getEnv().stream())
                .filter(variable -> "HOME".equals(variable.getName()) && variable.getValue() != null)
                .map(EnvVar::getValue)
                .findFirst();
    }

    private static Optional<Container> workerOf(List<Container> containers) {
        return containers.stream()
                .filter(each -> WORKER.equals(each.getName()))
                .findFirst()
                .or(() -> containers.stream().findFirst());
    }
}
