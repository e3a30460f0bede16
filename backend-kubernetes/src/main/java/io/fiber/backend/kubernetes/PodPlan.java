// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fiber.backend.support.ContainedProgram;
import io.fiber.backend.support.DetachedRuns;
import io.fiber.backend.support.SessionLabels;
import io.fiber.spi.Options;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The plan for the pods of one submission, from which YAML is rendered.
 *
 * @param spec the spec of the submission
 * @param setting what is equal in all submissions
 */
record PodPlan(JobSpec spec, Setting setting) {

    private static final double MILLIS = 1_000;
    private static final Pattern LABEL_VALUE = Pattern.compile("([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?");
    private static final Pattern LABEL_NAME =
            Pattern.compile("([a-z0-9][a-z0-9.-]{0,251}[a-z0-9]/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?");

    /**
     * What is equal in all submissions of a session.
     *
     * @param options the user's options
     * @param template the user's own pod
     * @param own the pod in which this process runs
     * @param labels the names of the session's objects
     */
    record Setting(KubernetesOptions options, Template template, Optional<OwnPod> own, SessionLabels labels) {

        /**
         * Returns the setting for jobs with options of their own.
         *
         * @param session the options that were set for the session
         */
        Setting of(JobSpec spec, Options session) {
            if (spec.options().isEmpty()) {
                return this;
            }
            KubernetesOptions chosen = KubernetesOptions.of(session.with(spec.options(), KubernetesOptions.keys()));
            return new Setting(chosen, Template.of(chosen), own, labels);
        }
    }

    /**
     * Checks the spec.
     *
     * @throws JobRejectedException FBR-179 if it requests something that no pod can have, FBR-185 if it is to be
     *     started again and cannot be
     */
    PodPlan {
        spec.workingDirectory()
                .map(path -> path.toString().replace('\\', '/'))
                .filter(path -> !path.startsWith("/"))
                .ifPresent(relative -> {
                    throw new JobRejectedException("FBR-179 The working directory '" + relative
                            + "' is relative; expected an absolute path in the pod.");
                });
        spec.labels().forEach(PodPlan::checkLabel);
        if (spec.restarts() > 0) {
            checkRestarts(spec, setting);
        }
    }

    private static void checkRestarts(JobSpec spec, Setting setting) {
        if (!DetachedRuns.isOne(spec)) {
            throw notAgain(spec, "it ends with the program that submits it. Run it with 'fiber run --detach'.");
        }
        if (isFetched(spec, setting)) {
            throw notAgain(
                    spec,
                    "its pod fetches the class path from this host, which may be gone by then. Put the class path"
                            + " into the image: use --push-image, or set fiber.kubernetes.class-path to image if the"
                            + " image has it at the same paths.");
        }
        List<String> others = setting.template().others();
        if (!others.isEmpty()) {
            throw notAgain(
                    spec,
                    "its pod template has other containers " + others
                            + ", and their pod goes on when the program has ended. Remove them from the template.");
        }
    }

    private static JobRejectedException notAgain(JobSpec spec, String why) {
        return new JobRejectedException("FBR-185 The cluster cannot start this program again (" + spec.restarts()
                + " restarts are asked for): " + why + " Nothing was started.");
    }

    private static boolean isFetched(JobSpec spec, Setting setting) {
        return spec.program() instanceof Program.Java java
                && setting.options().classPath().way() == KubernetesOptions.Way.FETCH
                && !(java.classPath().isEmpty() && java.modulePath().isEmpty());
    }

    /** Returns whether pods fetch the class path from this process. */
    boolean isFetched() {
        return isFetched(spec, setting);
    }

    /** Returns whether a Job of the API is to start the program again. */
    boolean isRestarted() {
        return spec.restarts() > 0;
    }

    private static void checkLabel(String name, String value) {
        if (!LABEL_NAME.matcher(name).matches() || !LABEL_VALUE.matcher(value).matches()) {
            throw new JobRejectedException("FBR-179 The label '" + name + "=" + value
                    + "' is not one that Kubernetes accepts; expected at most 63 letters, digits, '-', '_' and '.' on"
                    + " each side of '=', beginning and ending with a letter or digit.");
        }
    }

    ContainedProgram program() {
        return ContainedProgram.of(spec, container().memory());
    }

    /**
     * Returns the words that run the program.
     *
     * @param program the program of the spec, with the pod's paths
     */
    List<String> words(Program program) {
        return program()
                .words(
                        program,
                        setting.template().home().orElse(Volumes.TEMPORARY),
                        container().user());
    }

    KubernetesOptions.Container container() {
        return setting.options().container();
    }

    /** Returns the claim or directory of nodes that keeps class paths. */
    Optional<String> classPathCache() {
        return setting.options().classPath().cache();
    }

    String image() {
        return spec.image()
                .or(() -> container().image())
                .or(() -> setting.template().image())
                .or(() -> setting.own().map(OwnPod::image))
                .orElseGet(ContainedProgram::defaultImage);
    }

    /** Returns where the image was set, in words. */
    String imageOrigin() {
        if (spec.image().isPresent()) {
            return "asked for by the process";
        }
        if (container().image().isPresent()) {
            return "from fiber.kubernetes.image";
        }
        if (setting.template().image().isPresent()) {
            return "from the pod template";
        }
        return setting.own().isPresent() ? "this program's own" : "the default of fiber.kubernetes.image";
    }

    /** Returns the pod with whose end the job's pod ends; empty for a job that the cluster keeps. */
    Optional<OwnPod> owner() {
        return DetachedRuns.isOne(spec) ? Optional.empty() : setting.own();
    }

    /** Returns the secrets with which the image is pulled. */
    List<String> pullSecrets() {
        List<String> named = container().pullSecrets();
        return named.isEmpty() ? setting.own().map(OwnPod::pullSecrets).orElse(List.of()) : named;
    }

    /** Returns the requests and limits of a pod, without devices. */
    Map<String, Quantity> resources() {
        Map<String, Quantity> resources = new TreeMap<>();
        spec.resources()
                .cpus()
                .ifPresent(cpus -> resources.put("cpu", new Quantity((long) Math.ceil(cpus * MILLIS) + "m")));
        limitBytes().ifPresent(bytes -> resources.put("memory", new Quantity(String.valueOf(bytes))));
        return resources;
    }

    /** Returns the devices that a pod requests. */
    Map<String, Quantity> devices() {
        Map<String, Quantity> devices = new TreeMap<>();
        container().devices().forEach((name, count) -> devices.put(name, new Quantity(count)));
        int gpus = spec.resources().gpus();
        if (gpus > 0) {
            devices.put(container().gpuResource(), new Quantity(String.valueOf(gpus)));
        }
        return devices;
    }

    /** Returns the memory limit of a pod; empty for no limit. */
    OptionalLong limitBytes() {
        return program().limitBytes(container().shmSizeBytes());
    }

    /** Returns that limit with its parts, in words. */
    Optional<String> limitWords() {
        return program().limitWords(container().shmSizeBytes());
    }
}
