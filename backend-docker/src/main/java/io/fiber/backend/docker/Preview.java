// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.DockerClient;
import io.fiber.backend.support.SessionLabels;
import io.fiber.spi.backend.Submission;
import java.util.function.Function;

/** Collects the text of the requests of a submission, in the format of Docker's API. Sends nothing. Not thread-safe. */
final class Preview {

    private final Engine engine;
    private final SessionLabels labels;
    private final StringBuilder text = new StringBuilder();

    Preview(Engine engine, SessionLabels labels) {
        this.engine = engine;
        this.labels = labels;
    }

    /** Adds how containers get files that they do not have yet. */
    void addFiles(ClassPathVolume classPath, ClassPathVolume.Arrangement arrangement) {
        if (arrangement.missing().isEmpty()) {
            return;
        }
        if (!classPath.isMade()) {
            addPost("/volumes/create", classPath::creation);
        }
        text.append("# These files come into the volume, by a container that is never started:\n");
        arrangement
                .missing()
                .forEach((place, file) ->
                        text.append("#   " + ClassPathVolume.DIRECTORY + "/" + place + " from " + file + "\n"));
    }

    /** Adds the parts of each container's memory, if there is a limit. */
    void addMemory(ContainerPlan plan) {
        plan.limitWords().ifPresent(words -> text.append("# Memory of each container, at most " + words + "\n"));
    }

    /** Adds the container of an instance. */
    void addContainer(Submission.Instance instance, ContainerPlan plan, ClassPathVolume.Arrangement arrangement) {
        String name = labels.name(instance.name());
        addPost(
                "/containers/create?name=" + name,
                docker -> plan.describe(docker.createContainerCmd(plan.image()), instance, labels, arrangement));
        if (instance.bootstrap().length() > 0) {
            text.append("PUT /containers/" + name + "/archive?path=" + ContainerPlan.BOOTSTRAP_DIRECTORY + "\n");
            text.append("# A file '" + ContainerPlan.BOOTSTRAP_FILE + "' that only user " + plan.user()
                    + " reads (not shown)\n");
        }
        text.append("POST /containers/" + name + "/start\n");
    }

    private void addPost(String place, Function<DockerClient, Object> request) {
        text.append("POST " + place + "\n" + engine.body(request) + "\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
