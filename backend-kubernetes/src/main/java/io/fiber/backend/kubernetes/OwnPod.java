// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fiber.spi.Environment;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;

/**
 * The pod in which this process runs.
 *
 * @param name its name
 * @param uid its id
 * @param image the image of its container
 * @param pullSecrets the secrets with which that image is pulled
 * @param ip its address
 */
record OwnPod(String name, String uid, String image, List<String> pullSecrets, Optional<String> ip) {

    /** Contains the name of the pod. */
    static final String VARIABLE = "POD_NAME";

    private static final String DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";

    /**
     * Returns the pod in which this process runs. Empty outside a cluster, or if jobs have another namespace. Also
     * empty if its name is not that of its host, for example because it uses the node's network, and {@code POD_NAME}
     * is not set.
     */
    static Optional<OwnPod> find(Cluster cluster, Environment environment) {
        if (!cluster.address().isInside()) {
            return Optional.empty();
        }
        return find(cluster, environment, ClusterAddress.ownNamespace().orElse(cluster.namespace()));
    }

    /**
     * Returns the pod in which this process runs if it is in this namespace, because a pod owns nothing in another one.
     */
    static Optional<OwnPod> find(Cluster cluster, Environment environment, String namespace) {
        if (!namespace.equals(cluster.namespace())) {
            warn(
                    "This process''s pod is in namespace ''{0}'', and its jobs are in ''{1}'': the cluster will not remove"
                            + " the session''s pods when this process is gone.",
                    namespace, cluster.namespace());
            return Optional.empty();
        }
        Optional<String> name = environment.variable(VARIABLE).or(() -> environment.variable("HOSTNAME"));
        Pod pod = name.isEmpty() ? null : cluster.find(name.get());
        if (pod == null) {
            warn(
                    "There is no pod ''{0}'' in namespace ''{1}'': the cluster will not remove the session''s pods"
                            + " when this process is gone. Set POD_NAME to the name of this process''s pod.",
                    name.orElse(""), namespace);
            return Optional.empty();
        }
        return Optional.of(of(pod));
    }

    private static void warn(String text, String first, String second) {
        System.getLogger(OwnPod.class.getName()).log(Level.WARNING, text, first, second);
    }

    static OwnPod of(Pod pod) {
        List<Container> containers = pod.getSpec().getContainers();
        String named = Optional.ofNullable(pod.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(DEFAULT_CONTAINER))
                .orElse("");
        Container own = containers.stream()
                .filter(each -> each.getName().equals(named))
                .findFirst()
                .orElse(containers.get(0));
        return new OwnPod(
                pod.getMetadata().getName(),
                pod.getMetadata().getUid(),
                own.getImage(),
                pod.getSpec().getImagePullSecrets().stream()
                        .map(LocalObjectReference::getName)
                        .toList(),
                Optional.ofNullable(pod.getStatus()).map(status -> status.getPodIP()));
    }

    /** Returns the reference that makes the cluster remove an object when this pod is gone. */
    OwnerReference reference() {
        return new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind("Pod")
                .withName(name)
                .withUid(uid)
                .build();
    }
}
