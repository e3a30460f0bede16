// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fiber.backend.support.ExitCodes;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.JobTermination;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Advice on the most common errors of clusters and of pods that do not start. */
final class Advice {

    /** The first match applies, so the order matters: a violation of PodSecurity may name runAsNonRoot too. */
    private static final List<Map.Entry<String, String>> COMPLAINTS = List.of(
            Map.entry("limitrange", "Ask for less: the namespace's LimitRange allows no more."),
            Map.entry("per container is", "Ask for what the namespace's LimitRange allows."),
            Map.entry(
                    "podsecurity",
                    "Set what the namespace's Pod Security Standard requires in fiber.kubernetes.pod-template."),
            Map.entry(
                    "runasnonroot",
                    "Set fiber.kubernetes.user to the uid:gid of a user that is not root, or to 0:0 if root is"
                            + " intended."),
            Map.entry(
                    "serviceaccount",
                    "Correct fiber.kubernetes.service-account; 'kubectl get serviceaccounts' lists them."),
            Map.entry(
                    "service account",
                    "Correct fiber.kubernetes.service-account; 'kubectl get serviceaccounts' lists them."),
            Map.entry(
                    "priorityclass",
                    "Correct fiber.kubernetes.priority-class; 'kubectl get priorityclasses' lists them."),
            Map.entry("image reference", "Correct fiber.kubernetes.image."));

    /** What a quota requires of each container. */
    private static final Pattern REQUIRED = Pattern.compile("must specify ([a-z.,/-]+)");

    /** What runtimes of containers say of an image without a shell. */
    private static final String MISSING_SHELL = "\"" + Restarts.SHELL + "\"";

    private static final String CORRECT =
            "Correct what it names: an option of fiber.kubernetes.*, the pod template, or what the process asks for.";

    private Advice() {}

    /** Returns the advice on an error about a pod; if it is about memory, with the parts of the pod's memory. */
    static String onPod(String complaint, PodPlan plan) {
        return on(complaint)
                + memory(complaint, plan)
                        .map(words -> " The pod's memory is " + words + ".")
                        .orElse("");
    }

    /** Returns the advice on an error about a pod, with the containers that lack what a quota requires. */
    static String onPod(String complaint, PodPlan plan, Pod pod) {
        Matcher required = REQUIRED.matcher(complaint);
        if (!required.find()) {
            return onPod(complaint, plan);
        }
        List<String> names = List.of(required.group(1).split(","));
        String lacking = Stream.concat(
                        pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
                .filter(container -> names.stream().anyMatch(name -> lacks(container.getResources(), name)))
                .map(container -> "'" + container.getName() + "'")
                .collect(Collectors.joining(", "));
        return (lacking.isEmpty() ? "" : "They are missing in the pod's containers " + lacking + ". ")
                + "Ask for them (cpus, memory), or set them in fiber.kubernetes.pod-template.";
    }

    /** A limit is also a request. */
    private static boolean lacks(@Nullable ResourceRequirements resources, String name) {
        String resource = name.replaceFirst("^(limits|requests)\\.", "");
        return resources == null
                || !(resources.getLimits().containsKey(resource)
                        || (!name.startsWith("limits.")
                                && resources.getRequests().containsKey(resource)));
    }

    /** Returns why a pod waits; if memory is the reason, with the parts of its memory. */
    static String onWaiting(String why, PodPlan plan) {
        return memory(why, plan)
                .map(words -> why.replaceFirst("\\.$", "") + "; the pod's memory is " + words)
                .orElse(why);
    }

    private static Optional<String> memory(String complaint, PodPlan plan) {
        return plan.limitWords().filter(words -> complaint.contains("memory"));
    }

    /** Returns the advice on an error that is not about a pod. */
    static String on(String complaint) {
        String lower = complaint.toLowerCase(Locale.ROOT);
        return COMPLAINTS.stream()
                .filter(entry -> lower.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(CORRECT);
    }

    /** Returns why a pod could not be started. */
    static String onStart(String words, PodPlan plan) {
        if (words.contains("executable file not found") || words.contains("no such file or directory")) {
            if (words.contains(MISSING_SHELL) && !plan.program().executable().equals(Restarts.SHELL)) {
                return "FBR-174 The image '" + plan.image() + "' (" + plan.imageOrigin() + ") has no shell 'sh', which"
                        + " runs a program that the cluster is to start again: " + words
                        + ". Name an image that has one, or run the program without restarts.";
            }
            return "FBR-174 " + plan.program().missingIn("'" + plan.image() + "' (" + plan.imageOrigin() + ")", words);
        }
        return couldNotStart(words.isEmpty() ? "it does not say why" : words, onPod(words, plan));
    }

    /** Returns why a pod could not be started if an init container of the pod template failed. */
    static String onTemplate(String failure) {
        return couldNotStart(failure, CORRECT);
    }

    private static String couldNotStart(String why, String advice) {
        return "FBR-177 The cluster could not start the pod: " + why + ". " + advice;
    }

    /** Returns why an image is not available. */
    static String onImage(PodPlan plan, String words) {
        return "FBR-173 The image '" + plan.image() + "' (" + plan.imageOrigin() + ") cannot be pulled by the node: "
                + words
                + ". Correct its name in fiber.kubernetes.image, or name the secret with the registry's login in"
                + " fiber.kubernetes.pull-secrets.";
    }

    /** Returns why the class path could not be kept for other pods. */
    static String onCache(PodPlan plan, String words) {
        return "FBR-178 The pod could not keep the class path in '"
                + plan.classPathCache().orElse("") + "' (fiber.kubernetes.class-path-cache): " + words
                + ". The volume must have room and be writable for the user of fiber.kubernetes.user.";
    }

    /** Returns why the class path did not arrive. */
    static String onFetch(String words) {
        return "FBR-178 The pod could not fetch the class path from this program: " + words
                + ". Pods must reach the address of fiber.kubernetes.address by TCP (fiber.kubernetes.class-path-port"
                + " fixes the port). Or put the class path into the image, and set fiber.kubernetes.class-path to"
                + " image.";
    }

    /** Returns the termination of a job whose program never ran. */
    static JobTermination notStarted(String why) {
        return JobTermination.failed(EndCause.START_FAILED, OptionalInt.empty(), why);
    }

    /** Returns the termination of a program that ended by itself. */
    static JobTermination onExit(OptionalInt exitCode) {
        if (exitCode.isEmpty()) {
            return JobTermination.lost("the cluster does not know the exit code");
        }
        return ExitCodes.termination(exitCode.getAsInt());
    }

    /** Returns the message for a program that exceeded the memory of its pod. */
    static String onMemory(PodPlan plan) {
        return "the pod used more than its limit"
                + plan.limitWords().map(words -> " of " + words).orElse("")
                + "; ask for more memory, or set fiber.kubernetes.memory";
    }
}
