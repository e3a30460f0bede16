// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.image;

import io.fiber.FiberException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds the image of a Dockerfile with the program {@code docker}, in its engine, where the image stays. Blocks. Not
 * thread-safe.
 */
public final class DockerfileBuild {

    private static final int LAST_LINES = 20;
    private static final long ANSWER_LIMIT_S = 60;

    private final Map<String, String> environment;
    private final Optional<Consumer<String>> words;

    /**
     * Creates it; does nothing else.
     *
     * @param environment variables of {@code docker}, which say where the engine and logins are
     * @param words receives the progress, for people to read; without it, a failure includes the end of it
     */
    public DockerfileBuild(Map<String, String> environment, Optional<Consumer<String>> words) {
        this.environment = Map.copyOf(environment);
        this.words = words;
    }

    /**
     * Returns the id of the image in the engine. The image has no other name.
     *
     * @param dockerfile its directory is the context of the build, without what the {@code .dockerignore} there
     *     excludes
     * @throws FiberException FBR-553 if there is no such file, FBR-555 if no engine answers, FBR-556 if the build fails
     *     or returns no id
     */
    public String run(Path dockerfile) throws InterruptedException {
        if (!Files.isRegularFile(dockerfile) || !Files.isReadable(dockerfile)) {
            throw new FiberException(
                    "FBR-553",
                    "The value of --dockerfile is '" + dockerfile
                            + "', which is not a file that this user can read. Expected the path of a Dockerfile; its"
                            + " directory is the context of the build.");
        }
        requireEngine();
        try {
            Path id = Files.createTempFile("fiber-image", ".id");
            try {
                Path file = dockerfile.toAbsolutePath().normalize();
                build(file, id);
                String image = Files.readString(id).strip();
                if (image.isEmpty()) {
                    throw noId(file, id);
                }
                say("image " + image + " of " + dockerfile);
                return image;
            } finally {
                Files.deleteIfExists(id);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Checks the engine first, so that an engine that does not answer is not reported as an error of the Dockerfile.
     */
    private void requireEngine() throws InterruptedException {
        Process version = null;
        try {
            version = docker("version", "--format", "{{.Server.Version}}");
            if (!version.waitFor(ANSWER_LIMIT_S, TimeUnit.SECONDS)) {
                throw noEngine("it did not answer 'docker version' within " + ANSWER_LIMIT_S + " s", null);
            }
            if (version.exitValue() != 0) {
                String answer = new String(version.getInputStream().readAllBytes(), Charset.defaultCharset());
                throw noEngine(answer.strip(), null);
            }
        } catch (IOException e) {
            throw noEngine(String.valueOf(e.getMessage()), e);
        } finally {
            end(version);
        }
    }

    private void build(Path dockerfile, Path id) throws IOException, InterruptedException {
        String context = dockerfile.resolveSibling("").toString();
        Process build = docker(
                "build",
                "--force-rm",
                "--label",
                label(dockerfile),
                "--file",
                dockerfile.toString(),
                "--iidfile",
                id.toString(),
                context);
        // Ctrl-C ends this command at once, and what it has started.
        Runtime.getRuntime().addShutdownHook(new Thread(build::destroy, "fiber-build-end"));
        Deque<String> last = new ArrayDeque<>();
        try (BufferedReader output = build.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (!line.isBlank()) {
                    say("build: " + line.stripTrailing());
                    last.add(line.stripTrailing());
                }
                if (last.size() > LAST_LINES) {
                    last.remove();
                }
            }
            int code = build.waitFor();
            if (code != 0) {
                throw new FiberException(
                        "FBR-556",
                        "The image cannot be built from " + dockerfile + ": docker build ended with exit code " + code
                                + ". Correct the Dockerfile or the files that it copies: they must be in " + context
                                + ", and the .dockerignore there must not exclude them."
                                + (words.isPresent()
                                        ? ""
                                        : " Its last lines were:\n    " + String.join("\n    ", last)));
            }
        } finally {
            end(build);
        }
    }

    private void say(String line) {
        words.ifPresent(each -> each.accept(line));
    }

    /** Returns a label that identifies the images of one Dockerfile, which have no name. */
    private static String label(Path dockerfile) {
        return "io.fiber.dockerfile=" + dockerfile;
    }

    private Process docker(String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of("docker"));
        line.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static void end(@Nullable Process process) {
        if (process != null) {
            process.destroy();
        }
    }

    private static FiberException noId(Path dockerfile, Path id) {
        return new FiberException(
                "FBR-556",
                "The image of " + dockerfile + " has no name: docker build returned no id. Can it write to '" + id
                        + "'? A docker that was installed as a snap has its own /tmp. Name a directory that both can"
                        + " write, for example in your home: JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIRECTORY");
    }

    private static FiberException noEngine(String why, @Nullable Throwable cause) {
        String sentence = why.matches("(?s).*[.?!]") ? why : why + ".";
        return new FiberException(
                "FBR-555",
                "No Docker Engine can build the image of --dockerfile: " + sentence
                        + " Expected the program docker on the PATH, and an engine that answers 'docker version'. Start"
                        + " one, or name one with DOCKER_HOST, a context of docker, or fiber.docker.host.",
                cause);
    }
}
