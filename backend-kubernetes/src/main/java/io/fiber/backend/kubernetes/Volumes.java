// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fiber.spec.Volume.Access;
import io.fiber.spi.backend.Submission;
import java.util.ArrayList;
import java.util.List;

/** The volumes of a pod, and where its job sees them. */
final class Volumes {

    static final String TEMPORARY = "/tmp";
    static final String BOOTSTRAP_DIRECTORY = "/fiber/bootstrap";
    static final String BOOTSTRAP_FILE = "bytes";

    private static final int OF_GROUP = 0440;

    /** Readable for all, because the image's user is not known, and only the pod sees the files. */
    private static final int OF_ALL = 0444;

    private final PodPlan plan;
    private final PodRendering.Parts parts;
    private final List<Volume> volumes = new ArrayList<>();
    private final List<VolumeMount> mounts = new ArrayList<>();

    Volumes(PodPlan plan, PodRendering.Parts parts) {
        this.plan = plan;
        this.parts = parts;
    }

    /** Adds the volumes to a pod, and returns how its job's container mounts them. */
    List<VolumeMount> addTo(PodSpec spec, Submission.Instance instance) {
        volumes.addAll(spec.getVolumes());
        List<String> taken = spec.getContainers().get(0).getVolumeMounts().stream()
                .map(VolumeMount::getMountPath)
                .toList();
        if (!taken.contains(TEMPORARY)) {
            volumes.add(named("fiber-tmp").withNewEmptyDir().endEmptyDir().build());
            mount("fiber-tmp", TEMPORARY, Access.READ_WRITE);
        }
        if (!taken.contains("/dev/shm")) {
            addSharedMemory();
        }
        if (instance.bootstrap().length() > 0) {
            addSecret(spec, "fiber-bootstrap", List.of(new KeyToPath(instance.name(), null, BOOTSTRAP_FILE)));
            mount("fiber-bootstrap", BOOTSTRAP_DIRECTORY, Access.READ_ONLY);
        }
        if (parts.fetching() == PodRendering.Fetching.CLASS_PATH) {
            addSecret(
                    spec,
                    PodRendering.FETCH_VOLUME,
                    List.of(
                            new KeyToPath(PodRendering.FETCH_JAR, null, PodRendering.FETCH_JAR),
                            new KeyToPath(PodRendering.FETCH_PLAN, null, PodRendering.FETCH_PLAN)));
            volumes.add(named(PodRendering.CLASS_PATH_VOLUME)
                    .withNewEmptyDir()
                    .endEmptyDir()
                    .build());
            mount(PodRendering.CLASS_PATH_VOLUME, ClassPathServer.DIRECTORY, Access.READ_ONLY);
            plan.classPathCache()
                    .ifPresent(cache -> volumes.add(existing(PodRendering.CACHE_VOLUME, cache, Access.READ_WRITE)));
        }
        addOwn();
        spec.setVolumes(volumes);
        return mounts;
    }

    private static VolumeBuilder named(String name) {
        return new VolumeBuilder().withName(name);
    }

    private void addSharedMemory() {
        long bytes = plan.container().shmSizeBytes();
        volumes.add(named("fiber-shm")
                .withNewEmptyDir()
                .withMedium("Memory")
                .withSizeLimit(new Quantity(String.valueOf(bytes)))
                .endEmptyDir()
                .build());
        mount("fiber-shm", "/dev/shm", Access.READ_WRITE);
    }

    private void addSecret(PodSpec spec, String name, List<KeyToPath> items) {
        volumes.add(named(name)
                .withNewSecret()
                .withSecretName(parts.secret())
                .withDefaultMode(spec.getSecurityContext().getFsGroup() == null ? OF_ALL : OF_GROUP)
                .withItems(items)
                .endSecret()
                .build());
    }

    private void addOwn() {
        for (io.fiber.spec.Volume volume : plan.spec().volumes()) {
            String name = "fiber-volume-" + volumes.size();
            volumes.add(existing(name, volume.name(), volume.access()));
            mount(name, volume.mountPath(), volume.access());
        }
    }

    /** Returns a volume for a directory of the node, which begins with a slash, or for a claim. */
    private static Volume existing(String name, String place, Access access) {
        return place.startsWith("/")
                ? named(name).withNewHostPath().withPath(place).endHostPath().build()
                : named(name)
                        .withNewPersistentVolumeClaim()
                        .withClaimName(place)
                        .withReadOnly(access == Access.READ_ONLY)
                        .endPersistentVolumeClaim()
                        .build();
    }

    private void mount(String volume, String path, Access access) {
        mounts.add(new VolumeMountBuilder()
                .withName(volume)
                .withMountPath(path)
                .withReadOnly(access == Access.READ_ONLY ? true : null)
                .build());
    }
}
