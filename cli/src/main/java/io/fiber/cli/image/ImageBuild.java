// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.image;

import com.google.cloud.tools.jib.api.CacheDirectoryCreationException;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.CredentialRetriever;
import com.google.cloud.tools.jib.api.DockerDaemonImage;
import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainer;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.LogEvent;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.RegistryImage;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.frontend.CredentialRetrieverFactory;
import io.fiber.FiberException;
import io.fiber.runtime.platform.UserDirectory;
import io.fiber.spi.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Builds the image of a program on top of another image, and pushes it. Needs no Docker, unless the base image is
 * there. Layers that a registry or a cache of this host already has are neither built nor sent again. Blocks. Not
 * thread-safe.
 */
public final class ImageBuild {

    /** The prefix for the id of an image in a Docker Engine. */
    public static final String ENGINE = "docker://";

    private static final String ARCHIVE = "tar://";
    private static final String SCRATCH = "scratch";
    private static final long END_LIMIT_S = 10;
    /** Jib prints its errors in red. */
    private static final Pattern COLOURS = Pattern.compile("\u001B\\[[0-9;]*m");

    private static final Set<LogEvent.Level> SAID =
            EnumSet.of(LogEvent.Level.ERROR, LogEvent.Level.LIFECYCLE, LogEvent.Level.PROGRESS);

    private final Map<String, String> environment;
    private final Consumer<String> words;

    /**
     * Where an image comes from and where it goes.
     *
     * @param base an image of a registry, {@code tar://} and an archive written by {@code docker save}, {@link #ENGINE}
     *     and an id, or {@code scratch}
     * @param destination an image of a registry, to which it is written
     */
    public record Names(String base, String destination) {}

    /**
     * Creates it; does nothing else.
     *
     * @param environment variables that say where logins, caches and the engine are
     * @param words receives the progress, for people to read
     */
    public ImageBuild(Map<String, String> environment, Consumer<String> words) {
        this.environment = Map.copyOf(environment);
        this.words = words;
    }

    /**
     * Rejects a text that is not the name of an image.
     *
     * @throws FiberException FBR-548
     */
    public static void checkDestination(String name) {
        reference(name, "--push-image");
    }

    /**
     * Builds and pushes the image, and returns its name with the digest of its content, so that another push under the
     * same name does not change what runs.
     *
     * @throws FiberException FBR-548 to FBR-551 if it cannot be built or pushed
     */
    public String run(ImageLayout layout, Names names) throws InterruptedException {
        return push(from(names.base()).setFileEntriesLayers(layout.layers()).setEntrypoint(layout.entrypoint()), names);
    }

    /**
     * Pushes the base unchanged, and returns its name there, with the digest.
     *
     * @throws FiberException FBR-548 to FBR-551 if it cannot be pushed
     */
    public String run(Names names) throws InterruptedException {
        return push(from(names.base()), names);
    }

    private String push(JibContainerBuilder layered, Names names) throws InterruptedException {
        ImageReference destination = reference(names.destination(), "--push-image");
        allowCredentials(destination);
        RegistryImage image = RegistryImage.named(destination);
        retrievers(destination).forEach(image::addCredentialRetriever);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Path cache = cacheDirectory();
            Containerizer containerizer = Containerizer.to(image)
                    .setToolName("fiber")
                    .setExecutorService(threads)
                    .setAllowInsecureRegistries(Loopback.is(destination))
                    .setBaseImageLayersCache(cache.resolve("base"))
                    .setApplicationLayersCache(cache.resolve("layers"))
                    .addEventHandler(LogEvent.class, this::say);
            JibContainer made = layered.containerize(containerizer);
            String name = destination.getRegistry() + "/" + destination.getRepository() + "@" + made.getDigest();
            words.accept("image " + name);
            return name;
        } catch (IOException | RegistryException | CacheDirectoryCreationException | ExecutionException e) {
            throw ImageFailures.explained(names, e);
        } finally {
            end(threads);
        }
    }

    /** Waits, because after a failure other threads still write to the cache. */
    private static void end(ExecutorService threads) throws InterruptedException {
        threads.shutdownNow();
        threads.awaitTermination(END_LIMIT_S, TimeUnit.SECONDS);
    }

    private JibContainerBuilder from(String base) {
        if (base.equals(SCRATCH)) {
            return Jib.fromScratch();
        }
        if (base.startsWith(ARCHIVE)) {
            return Jib.from(TarImage.at(Path.of(base.substring(ARCHIVE.length()))));
        }
        if (base.startsWith(ENGINE)) {
            ImageReference built = reference(base.substring(ENGINE.length()), "--dockerfile");
            return Jib.from(DockerDaemonImage.named(built).setDockerEnvironment(environment));
        }
        ImageReference reference = reference(base, "--image");
        allowCredentials(reference);
        RegistryImage image = RegistryImage.named(reference);
        retrievers(reference).forEach(image::addCredentialRetriever);
        return Jib.from(image);
    }

    private static ImageReference reference(String name, String option) {
        try {
            return ImageReference.parse(name);
        } catch (InvalidImageReferenceException e) {
            throw new FiberException(
                    "FBR-548",
                    "The value of " + option + " is '" + name
                            + "', which is not the name of an image. Expected REGISTRY/REPOSITORY, with a tag if you"
                            + " like:"
                            + " registry.example.org/team/program:1",
                    e);
        }
    }

    /** Returns the logins of {@code docker login}, then those of cloud tools. */
    private List<CredentialRetriever> retrievers(ImageReference reference) {
        CredentialRetrieverFactory factory = CredentialRetrieverFactory.forImage(reference, this::say, environment);
        List<CredentialRetriever> retrievers = new ArrayList<>();
        Optional.ofNullable(environment.get("DOCKER_CONFIG"))
                .map(directory -> factory.dockerConfig(Path.of(directory, "config.json")))
                .ifPresent(retrievers::add);
        retrievers.add(factory.dockerConfig());
        retrievers.add(factory.wellKnownCredentialHelpers());
        retrievers.add(factory.googleApplicationDefaultCredentials());
        return retrievers;
    }

    /** Allows passwords without TLS only on the loopback, which other hosts cannot read. */
    private static void allowCredentials(ImageReference reference) {
        if (Loopback.is(reference)) {
            System.setProperty("sendCredentialsOverHttp", "true");
        }
    }

    private void say(LogEvent event) {
        if (SAID.contains(event.getLevel()) && !event.getMessage().isBlank()) {
            words.accept("image: "
                    + COLOURS.matcher(event.getMessage()).replaceAll("").strip());
        }
    }

    private Path cacheDirectory() throws IOException {
        return cacheDirectory(Environment.of(
                environment,
                Map.of(
                        "user.home", System.getProperty("user.home", ""),
                        "user.name", System.getProperty("user.name", ""))));
    }

    static Path cacheDirectory(Environment user) throws IOException {
        return UserDirectory.CACHE.findOrMake(user).resolve("fiber").resolve("images");
    }
}
