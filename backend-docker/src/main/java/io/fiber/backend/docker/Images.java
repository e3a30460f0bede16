// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.command.PullImageCmd;
import com.github.dockerjava.api.command.PullImageResultCallback;
import com.github.dockerjava.api.model.Info;
import io.fiber.backend.support.BackendTasks;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobRejectedException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes images available on the daemon's host. A pull has no time limit. Thread-safe. */
final class Images {

    /** Architectures that images call otherwise than the kernel does. */
    private static final Map<String, String> ARCHITECTURES =
            Map.of("x86_64", "amd64", "aarch64", "arm64", "armv7l", "arm", "i686", "386");

    /** As long as the runtime waits before it says why a job waits. */
    private static final long PATIENCE_S = 10;

    private final Engine engine;
    private final DockerOptions options;
    private final RegistryLogins logins;
    private final BackendTasks tasks;
    private final Set<String> present = ConcurrentHashMap.newKeySet();

    Images(Engine engine, DockerOptions options, RegistryLogins logins, BackendTasks tasks) {
        this.engine = engine;
        this.tasks = tasks;
        this.options = options;
        this.logins = logins;
    }

    /**
     * Returns when the image is available.
     *
     * @param origin where it was set, in words
     * @throws JobRejectedException FBR-162 if it is missing and cannot be pulled
     */
    void provide(String image, String origin) {
        if (present.contains(image)) {
            return;
        }
        if (options.pull() == DockerOptions.Pull.ALWAYS || !isThere(image)) {
            if (options.pull() == DockerOptions.Pull.NEVER) {
                throw missing(image, origin, "fiber.docker.pull is never", null);
            }
            pull(image, origin);
        }
        present.add(image);
    }

    /** Records that an image is no longer available. */
    void forget(String image) {
        present.remove(image);
    }

    private boolean isThere(String image) {
        try {
            engine.ask(docker -> docker.inspectImageCmd(image).exec());
            return true;
        } catch (Refusal e) {
            if (e.isNotFound()) {
                return false;
            }
            throw new JobRejectedException(
                    "FBR-162 The image '" + image + "' cannot be used: " + e.words()
                            + ". Expected a name such as eclipse-temurin:21-jre.",
                    e);
        }
    }

    private void pull(String image, String origin) {
        String named = image.matches(".*(@sha256:[0-9a-f]+|:[^/]+)") ? image : image + ":latest";
        RegistryLogins.Found found = logins.find(named);
        Future<?> notice = tasks.after(
                TimeUnit.SECONDS.toNanos(PATIENCE_S),
                () -> System.getLogger(Images.class.getName())
                        .log(
                                Level.INFO,
                                "Docker is pulling the image '" + image + "' (" + origin + "); jobs wait for it."));
        try {
            engine.ask(docker -> {
                PullImageCmd pull = engine.streams().pullImageCmd(named);
                if (found instanceof RegistryLogins.Login login) {
                    pull.withAuthConfig(login.config());
                }
                try {
                    return pull.exec(new PullImageResultCallback()).awaitCompletion();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new BackendUnavailableException("The pull of the image '" + image + "' was interrupted.", e);
                }
            });
        } catch (Refusal e) {
            String unused = found instanceof RegistryLogins.Failed failed
                    ? "; no login was used, as " + failed.what() + " failed: " + failed.why()
                    : "";
            throw missing(image, origin, e.words() + unused, e);
        } finally {
            notice.cancel(false);
        }
        if (!isThere(image)) {
            throw missing(image, origin, "the pull has ended without it", null);
        }
    }

    /**
     * The architectures of an image and of Docker's host, which cannot run its programs.
     *
     * @param image as images have it, such as {@code arm64}
     * @param host the same of the host
     */
    record Mismatch(String image, String host) {}

    /** Returns how an image and Docker's host differ; empty if they do not, or this is not known. Waits for Docker. */
    static Optional<Mismatch> mismatch(Engine engine, String image) {
        try {
            return mismatch(engine.ask(docker -> docker.inspectImageCmd(image).exec()), engine.info());
        } catch (BackendException | Refusal e) {
            return Optional.empty();
        }
    }

    static Optional<Mismatch> mismatch(InspectImageResponse image, Info daemon) {
        String machine = String.valueOf(daemon.getArchitecture());
        String host = ARCHITECTURES.getOrDefault(machine, machine);
        return Optional.ofNullable(image.getArch())
                .filter(each -> !each.isEmpty() && !each.equals(host))
                .map(each -> new Mismatch(each, host));
    }

    /** Returns the exception for a missing image. */
    static JobRejectedException missing(String image, String origin, String words, @Nullable Throwable cause) {
        return new JobRejectedException(
                "FBR-162 The image '" + image + "' (" + origin
                        + ") is not on Docker's host and cannot be pulled: " + words
                        + ". Pull or build it there (docker pull " + image
                        + "), log in to its registry, or name another image in fiber.docker.image.",
                cause);
    }
}
