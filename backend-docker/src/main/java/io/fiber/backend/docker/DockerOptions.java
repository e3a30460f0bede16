// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.model.Info;
import io.fiber.backend.support.ContainedProgram;
import io.fiber.backend.support.FailedJobs;
import io.fiber.backend.support.UserIds;
import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The user's options for Docker. Immutable.
 *
 * @param host the daemon, as in DOCKER_HOST
 * @param image the image for jobs without one
 * @param pull when an image is pulled
 * @param network the network that containers join
 * @param address what containers dial to reach this process
 * @param memory memory in bytes of a job that requests none
 * @param shmSizeBytes size of /dev/shm
 * @param user the user of a container
 * @param jobsSubmit whether containers get the engine's socket
 * @param failedJobs what happens to the containers of failed jobs
 */
record DockerOptions(
        Optional<String> host,
        String image,
        Pull pull,
        String network,
        Optional<String> address,
        OptionalLong memory,
        OptionalLong shmSizeBytes,
        UserIds user,
        boolean jobsSubmit,
        FailedJobs failedJobs) {

    /** When an image is pulled. */
    enum Pull {
        /** If it is missing. */
        MISSING,
        /** Once in a session, even if it exists. */
        ALWAYS,
        /** Never. */
        NEVER
    }

    static final String IMAGE = "image";
    static final String NETWORK = "network";
    private static final String USER = "user";
    private static final String JOBS_SUBMIT = "jobs-submit";

    private static final String DEFAULT_NETWORK = "bridge";

    static List<OptionKey> keys() {
        return List.of(
                OptionKey.of(
                        "host",
                        OptionType.TEXT,
                        "DOCKER_HOST, Docker's context, or the first socket that exists",
                        "the daemon, as in DOCKER_HOST: unix:///run/podman/podman.sock, tcp://host:2376"),
                OptionKey.of(
                        IMAGE,
                        OptionType.TEXT,
                        "eclipse-temurin:<n>-jre, with n of this JVM",
                        "image of jobs that name none; it needs only a JRE"),
                OptionKey.of(
                        "pull",
                        OptionType.TEXT,
                        "missing",
                        "when an image is pulled: missing, always (once per session) or never"),
                OptionKey.of(NETWORK, OptionType.TEXT, DEFAULT_NETWORK, "network of containers; or host"),
                OptionKey.of(
                        "address",
                        OptionType.TEXT,
                        "the gateway of the network, or this process's own address in it",
                        "address or name at which containers reach this process"),
                OptionKey.of(
                        "memory", OptionType.SIZE, "no limit", "memory of a job that requests none; for Java its heap"),
                OptionKey.of("shm-size", OptionType.SIZE, "Docker's: 64m", "size of /dev/shm of each container")
                        .perJob(),
                OptionKey.of(
                                USER,
                                OptionType.TEXT,
                                "this process's user and group, " + UserIds.UNPRIVILEGED
                                        + " if that is root, 0:0 with rootless Docker",
                                "numeric user and group of the container's processes, uid:gid")
                        .perJob(),
                OptionKey.of(
                        JOBS_SUBMIT,
                        OptionType.SWITCH,
                        "false",
                        "whether containers get the engine's socket, so that programs in them can create containers"),
                FailedJobs.option("containers"));
    }

    /**
     * Parses options.
     *
     * @throws BackendException FBR-168 if one has an invalid value
     */
    static DockerOptions of(Options options) {
        return new DockerOptions(
                options.text("host").map(String::strip),
                options.text(IMAGE).map(String::strip).orElseGet(ContainedProgram::defaultImage),
                options.text("pull").map(DockerOptions::pull).orElse(Pull.MISSING),
                options.text(NETWORK).map(String::strip).orElse(DEFAULT_NETWORK),
                options.text("address").map(String::strip),
                options.sizeBytes("memory"),
                options.sizeBytes("shm-size"),
                options.text(USER).map(DockerOptions::user).orElseGet(UserIds::ofThisProcess),
                options.isOn(JOBS_SUBMIT).orElse(false),
                FailedJobs.of(options));
    }

    /** Returns the user's options, with other defaults for a rootless daemon. */
    static Options forDaemon(Options given, Info daemon) {
        // There, root is the daemon's user, and any other user owns nothing on the host.
        return isRootless(daemon) && given.text(USER).isEmpty() ? given.with(Map.of(USER, "0:0"), keys()) : given;
    }

    /** Returns whether the daemon and its networks are in namespaces of a user other than root. */
    static boolean isRootless(Info daemon) {
        List<String> security = daemon.getSecurityOptions();
        return security != null && security.contains("name=rootless");
    }

    private static Pull pull(String text) {
        return switch (text.strip()) {
            case "missing" -> Pull.MISSING;
            case "always" -> Pull.ALWAYS;
            case "never" -> Pull.NEVER;
            default ->
                throw new BackendException(
                        "FBR-168 Option 'fiber.docker.pull' is '" + text + "'; expected missing, always or never.");
        };
    }

    private static UserIds user(String text) {
        return UserIds.parse(text)
                .orElseThrow(() -> new BackendException("FBR-168 Option 'fiber.docker.user' is '" + text
                        + "'; expected numbers, uid or uid:gid, for example 1000:1000."));
    }
}
