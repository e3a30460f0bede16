// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.DeviceRequest;
import com.github.dockerjava.api.model.HealthCheck;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.LogConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import com.github.dockerjava.api.model.RestartPolicy;
import com.github.dockerjava.api.model.VolumeOptions;
import io.fiber.backend.support.ContainedProgram;
import io.fiber.backend.support.DetachedRuns;
import io.fiber.backend.support.SessionLabels;
import io.fiber.backend.support.UserIds;
import io.fiber.spec.Volume;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The plan for the containers of one submission.
 *
 * @param spec the spec of the submission
 * @param options the user's options
 * @param socket the socket that containers get
 */
record ContainerPlan(JobSpec spec, DockerOptions options, Optional<EngineSocket> socket) {

    static final String BOOTSTRAP_DIRECTORY = "/fiber/bootstrap";
    static final String BOOTSTRAP_FILE = "bytes";

    private static final String TEMPORARY = "/tmp";
    private static final double NANO_CPUS = 1e9;
    private static final long DEFAULT_SHM_BYTES = 64L << 20;

    /** People read only the last lines, and a worker that prints for a week must not fill the disk. */
    private static final Map<String, String> LOG_LIMITS = Map.of("max-size", "16m", "max-file", "2");

    static final String KEPT_LOG = "32 MB";

    /** More for a detached container, whose log is the only copy. */
    private static final int DETACHED_LOG_FILES = 5;

    private static final int DETACHED_LOG_FILE_MB = 100;
    private static final Map<String, String> DETACHED_LOG_LIMITS =
            Map.of("max-size", DETACHED_LOG_FILE_MB + "m", "max-file", String.valueOf(DETACHED_LOG_FILES));

    static final String KEPT_DETACHED_LOG = DETACHED_LOG_FILES * DETACHED_LOG_FILE_MB + " MB";

    /** The minimum size of a log whose first file has been removed. */
    static final long ROTATED_LOG_BYTES = (DETACHED_LOG_FILES - 1) * DETACHED_LOG_FILE_MB * 1_000_000L;

    /**
     * Checks the spec.
     *
     * @throws JobRejectedException FBR-168 if it requests something that no container can have
     */
    ContainerPlan {
        spec.workingDirectory().filter(each -> !each.isAbsolute()).ifPresent(relative -> {
            throw new JobRejectedException("FBR-168 The working directory '" + relative
                    + "' is relative; expected an absolute path in the container.");
        });
        spec.timeLimit().filter(limit -> DetachedRuns.isOne(spec)).ifPresent(limit -> {
            throw new JobRejectedException("FBR-168 A detached container cannot have a time limit (" + limit.toSeconds()
                    + " s): Docker has no such limit, and the process that would enforce it ends before the"
                    + " container. Leave the limit out, or start the program with the image's own 'timeout'.");
        });
    }

    String image() {
        return spec.image().orElse(options.image());
    }

    /** Returns where the image was set, in words. */
    String imageOrigin() {
        if (spec.image().isPresent()) {
            return "asked for by the process";
        }
        return "from fiber.docker.image or its default";
    }

    UserIds user() {
        return options.user();
    }

    ContainedProgram program() {
        return ContainedProgram.of(spec, options.memory());
    }

    /** Describes the container of one instance, and returns the same command. */
    CreateContainerCmd describe(
            CreateContainerCmd create,
            Submission.Instance instance,
            SessionLabels labels,
            ClassPathVolume.Arrangement arrangement) {
        List<String> command = program().words(arrangement.program(), TEMPORARY, Optional.of(options.user()));
        create.withName(labels.name(instance.name()))
                .withHostName(instance.name())
                .withLabels(labels.ofJob(instance.name(), spec.labels()))
                .withUser(options.user().toString())
                .withEntrypoint(command.get(0))
                .withCmd(command.subList(1, command.size()))
                .withEnv(environment(instance))
                .withHealthcheck(new HealthCheck().withTest(List.of("NONE")))
                .withHostConfig(host(mounts(instance, labels, arrangement.mounts())));
        spec.workingDirectory()
                .ifPresent(path -> create.withWorkingDir(path.toString().replace('\\', '/')));
        return create;
    }

    private List<String> environment(Submission.Instance instance) {
        Map<String, String> variables = new TreeMap<>(Map.of("HOME", TEMPORARY));
        if (socket.isPresent()) {
            // Containers that the program creates use the same image.
            variables.put("FIBER_DOCKER_IMAGE", image());
            variables.put("FIBER_DOCKER_NETWORK", options.network());
        }
        variables.putAll(spec.environment());
        if (instance.bootstrap().length() > 0) {
            variables.put(JobSpec.BOOTSTRAP_VARIABLE, "file:" + BOOTSTRAP_DIRECTORY + "/" + BOOTSTRAP_FILE);
        }
        return variables.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .toList();
    }

    private HostConfig host(List<Mount> mounts) {
        HostConfig host = HostConfig.newHostConfig()
                .withNetworkMode(options.network())
                .withReadonlyRootfs(true)
                .withTmpFs(Map.of(TEMPORARY, "rw,exec,nosuid,nodev,mode=1777"))
                .withCapDrop(Capability.ALL)
                .withSecurityOpts(List.of("no-new-privileges"))
                .withInit(true)
                .withRestartPolicy(RestartPolicy.noRestart())
                .withLogConfig(new LogConfig(
                        LogConfig.LoggingType.JSON_FILE, DetachedRuns.isOne(spec) ? DETACHED_LOG_LIMITS : LOG_LIMITS))
                .withMounts(mounts);
        options.shmSizeBytes().ifPresent(host::withShmSize);
        socket.ifPresent(each -> host.withGroupAdd(List.of(Integer.toString(each.group()))));
        spec.resources().cpus().ifPresent(cpus -> host.withNanoCPUs((long) (cpus * NANO_CPUS)));
        limitBytes().ifPresent(bytes -> host.withMemory(bytes).withMemorySwap(bytes));
        if (spec.resources().gpus() > 0) {
            host.withDeviceRequests(List.of(
                    new DeviceRequest().withCount(spec.resources().gpus()).withCapabilities(List.of(List.of("gpu")))));
        }
        return host;
    }

    /** Returns the memory limit of a container; empty for no limit. */
    OptionalLong limitBytes() {
        return program().limitBytes(shmBytes());
    }

    /** Returns that limit with its parts, in words. */
    Optional<String> limitWords() {
        return program().limitWords(shmBytes());
    }

    private long shmBytes() {
        return options.shmSizeBytes().orElse(DEFAULT_SHM_BYTES);
    }

    private List<Mount> mounts(Submission.Instance instance, SessionLabels labels, List<Mount> common) {
        List<Mount> mounts = new ArrayList<>(common);
        if (instance.bootstrap().length() > 0) {
            // A volume without a name is removed with its container, except by 'docker rm -f'; the label finds it then.
            mounts.add(new Mount()
                    .withType(MountType.VOLUME)
                    .withTarget(BOOTSTRAP_DIRECTORY)
                    .withVolumeOptions(new VolumeOptions().withLabels(labels.ofSession())));
        }
        socket.ifPresent(each -> mounts.add(
                new Mount().withType(MountType.BIND).withSource(each.path()).withTarget(EngineSocket.PLACE)));
        for (Volume volume : spec.volumes()) {
            mounts.add(new Mount()
                    .withType(volume.name().startsWith("/") ? MountType.BIND : MountType.VOLUME)
                    .withSource(volume.name())
                    .withTarget(volume.mountPath())
                    .withReadOnly(volume.access() == Volume.Access.READ_ONLY));
        }
        return mounts;
    }
}
