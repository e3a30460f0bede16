// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.command.CreateContainerCmd;
import io.fiber.backend.support.BackendThreads;
import io.fiber.backend.support.SessionLabels;
import io.fiber.backend.support.UserIds;
import io.fiber.spec.Volume;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.Submission;
import java.io.ByteArrayInputStream;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Creates the containers of a submission, all or none, without starting them. Waits for Docker. Thread-safe. */
final class Launcher {

    private final Engine engine;
    private final SessionLabels labels;
    private final Tools tools;
    private final Consumer<DockerJob> whenEnded;

    /**
     * What it works with.
     *
     * @param classPath receives class paths
     * @param images what is known about images
     * @param threads the threads that wait for Docker
     * @param host the name of Docker's host
     */
    record Tools(ClassPathVolume classPath, Images images, BackendThreads threads, String host) {}

    Launcher(Engine engine, SessionLabels labels, Tools tools, Consumer<DockerJob> whenEnded) {
        this.engine = engine;
        this.labels = labels;
        this.tools = tools;
        this.whenEnded = whenEnded;
    }

    /**
     * Creates a container for each instance.
     *
     * @throws JobRejectedException FBR-165 if Docker rejects one
     */
    List<DockerJob> launch(Submission submission, ContainerPlan plan, JobListener listener) {
        plan.spec().volumes().forEach(this::checkVolume);
        ClassPathVolume.Arrangement arrangement = tools.classPath().place(submission, plan.image());
        List<Supplier<DockerJob>> makings = new ArrayList<>();
        for (Submission.Instance instance : submission.instances()) {
            makings.add(() -> make(instance, plan, arrangement, listener));
        }
        BackendThreads.Answers<DockerJob> made = tools.threads().all(makings);
        made.failure("A container could not be made").ifPresent(failure -> {
            made.given().forEach(job -> removeQuietly(job.containerId()));
            throw failure;
        });
        return made.given();
    }

    /** Returns the requests that {@link #make} would send, and those that start the containers, without sending any. */
    String preview(Submission submission, ContainerPlan plan) {
        ClassPathVolume.Arrangement arrangement = tools.classPath().arrange(submission);
        Preview preview = new Preview(engine, labels);
        preview.addFiles(tools.classPath(), arrangement);
        preview.addMemory(plan);
        submission.instances().forEach(instance -> preview.addContainer(instance, plan, arrangement));
        return preview.toString();
    }

    /** Docker would create a missing volume, and the backend would not remove it. */
    private void checkVolume(Volume volume) {
        if (volume.name().startsWith("/")) {
            return;
        }
        try {
            engine.ask(docker -> docker.inspectVolumeCmd(volume.name()).exec());
        } catch (Refusal e) {
            throw new JobRejectedException(
                    "FBR-165 The volume '" + volume.name() + "' is not on Docker's host: " + e.words()
                            + ". Expected the name of a volume ('docker volume create " + volume.name()
                            + "' makes it), or the path of a directory of Docker's host.",
                    e);
        }
    }

    private DockerJob make(
            Submission.Instance instance,
            ContainerPlan plan,
            ClassPathVolume.Arrangement arrangement,
            JobListener listener) {
        String id = create(instance, plan, arrangement);
        try {
            if (instance.bootstrap().length() > 0) {
                putBootstrap(id, instance, plan.user());
            }
            JobText text = JobText.of(
                    new JobText.Author(engine, id, instance.name()),
                    plan.spec().output(),
                    LogFollower.Pause.OF_THE_CLOCK);
            DockerJob.Place place = new DockerJob.Place(id, tools.host(), plan, text, engine, tools.threads());
            return new DockerJob(instance.name(), place, listener, whenEnded);
        } catch (Refusal e) {
            removeQuietly(id);
            throw refused(instance, plan, e);
        } catch (RuntimeException | Error e) {
            removeQuietly(id);
            throw e;
        }
    }

    private String create(Submission.Instance instance, ContainerPlan plan, ClassPathVolume.Arrangement arrangement) {
        try {
            try {
                return createOnce(instance, plan, arrangement);
            } catch (Refusal e) {
                if (!e.isConflict()) {
                    throw e;
                }
                // An earlier attempt, whose answer did not arrive, may have created it: the name includes the session.
                engine.remove(labels.name(instance.name()));
                return createOnce(instance, plan, arrangement);
            }
        } catch (Refusal e) {
            if (e.isNotFound() && e.words().contains("image")) {
                tools.images().forget(plan.image());
                throw Images.missing(plan.image(), plan.imageOrigin(), e.words(), e);
            }
            throw refused(instance, plan, e);
        }
    }

    private String createOnce(
            Submission.Instance instance, ContainerPlan plan, ClassPathVolume.Arrangement arrangement) {
        return engine.ask(docker -> {
            try (CreateContainerCmd create = docker.createContainerCmd(plan.image())) {
                return plan.describe(create, instance, labels, arrangement)
                        .exec()
                        .getId();
            }
        });
    }

    private static JobRejectedException refused(Submission.Instance instance, ContainerPlan plan, Refusal e) {
        return new JobRejectedException(
                "FBR-165 Docker refused the container of process '" + instance.name() + "': " + e.words() + ". "
                        + Advice.on(e.words(), plan) + " Nothing was started.",
                e);
    }

    private void putBootstrap(String id, Submission.Instance instance, UserIds owner) {
        byte[] secret = instance.bootstrap().copyBytes();
        byte[] archive = Tar.privateFile(ContainerPlan.BOOTSTRAP_FILE, secret, owner);
        try {
            engine.unpack(id, ContainerPlan.BOOTSTRAP_DIRECTORY, new ByteArrayInputStream(archive));
        } finally {
            Arrays.fill(secret, (byte) 0);
            Arrays.fill(archive, (byte) 0);
        }
    }

    private void removeQuietly(String id) {
        try {
            engine.remove(id);
        } catch (BackendException | Refusal e) {
            System.getLogger(Launcher.class.getName())
                    .log(Level.DEBUG, "A container of the failed submission is removed at the end of the session.", e);
        }
    }
}
