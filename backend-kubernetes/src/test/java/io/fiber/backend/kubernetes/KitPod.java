// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The pod of the examples, running a program of the kit with this JVM's class path, which it finds on its node: this machine. */
final class KitPod {

    static final String NAME = "kit";
    static final Path EXAMPLES = TestCluster.checkout().resolve("examples/kubernetes");

    private KitPod() {}

    /** Returns the pod of the examples but for the program. Options of its JVM win over those of the examples. */
    static Pod of(Path state, Class<?> main, List<String> options, List<String> arguments) throws IOException {
        Pod pod = Serialization.unmarshal(Files.readString(EXAMPLES.resolve("program.yml")), Pod.class);
        Container program = pod.getSpec().getContainers().get(0);
        List<String> command = new ArrayList<>(program.getCommand());
        int at = command.indexOf("-cp");
        command.set(at + 1, classPath());
        command.set(at + 2, main.getName());
        command.addAll(at, options);
        command.addAll(arguments);
        Container changed = new ContainerBuilder(program)
                .withImage(TestCluster.IMAGE)
                .withCommand(command)
                .editResources()
                .addToLimits("memory", new Quantity("3Gi"))
                .endResources()
                .addNewEnv()
                .withName(TestCluster.STATE)
                .withValue(KubernetesFixture.NODE + state)
                .endEnv()
                .addNewVolumeMount()
                .withName("node")
                .withMountPath(KubernetesFixture.NODE)
                .withReadOnly(true)
                .endVolumeMount()
                .build();
        return new PodBuilder(pod)
                .editMetadata()
                .withName(NAME)
                .endMetadata()
                .editSpec()
                .withTerminationGracePeriodSeconds(1L)
                .withContainers(changed)
                .addNewVolume()
                .withName("node")
                .withNewHostPath()
                .withPath("/")
                .endHostPath()
                .endVolume()
                .endSpec()
                .build();
    }

    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> KubernetesFixture.NODE + Path.of(entry).toAbsolutePath())
                .collect(Collectors.joining(":"));
    }
}
