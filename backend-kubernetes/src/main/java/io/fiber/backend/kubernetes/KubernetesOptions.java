// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fiber.backend.support.FailedJobs;
import io.fiber.backend.support.UserIds;
import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The user's options for the cluster and its pods. Immutable.
 *
 * @param kubeconfig the file that describes the cluster
 * @param context the context in it
 * @param namespace where pods are created
 * @param place options on where pods run and how they are found
 * @param container options on what runs in them
 * @param classPath how pods get the class path
 * @param address what pods dial to reach this process
 * @param template a file with a pod that is the basis of ours
 * @param failedJobs what happens to the pods of failed jobs
 */
record KubernetesOptions(
        Optional<String> kubeconfig,
        Optional<String> context,
        Optional<String> namespace,
        Place place,
        Container container,
        ClassPath classPath,
        Optional<String> address,
        Optional<Path> template,
        FailedJobs failedJobs) {

    /**
     * Where pods run and how they are found.
     *
     * @param jobsSubmit whether a pod gets the token of its service account
     */
    record Place(
            Optional<String> serviceAccount,
            boolean jobsSubmit,
            Map<String, String> nodeSelector,
            List<Toleration> tolerations,
            Optional<String> priorityClass,
            Map<String, String> labels,
            Map<String, String> annotations) {}

    /** What runs in a pod. */
    record Container(
            Optional<String> image,
            Optional<String> pull,
            List<String> pullSecrets,
            OptionalLong memory,
            long shmSizeBytes,
            Optional<UserIds> user,
            String gpuResource,
            Map<String, String> devices) {}

    /**
     * How pods get the class path.
     *
     * @param way whether they fetch it
     * @param port where it is served, 0 for any port
     * @param cache a claim or a directory of the nodes that keeps fetched files
     */
    record ClassPath(Way way, int port, Optional<String> cache) {}

    /** How pods get the class path. */
    enum Way {
        /** Each pod fetches it from this process. */
        FETCH,
        /** It is in the image, under the same paths as here. */
        IMAGE
    }

    private static final Pattern TOLERATION =
            Pattern.compile("([^=:]*)(?:=([^:]*))?(?::(NoSchedule|PreferNoSchedule|NoExecute))?");
    private static final long DEFAULT_SHM_BYTES = 64L << 20;
    private static final int MOST_PORT = 65_535;
    private static final Map<String, String> PULLS =
            Map.of("always", "Always", "missing", "IfNotPresent", "never", "Never");

    static List<OptionKey> keys() {
        return List.of(
                key(
                        "kubeconfig",
                        OptionType.PATH,
                        "KUBECONFIG; the cluster around this process; ~/.kube/config",
                        "file with the cluster and the user"),
                key("context", OptionType.TEXT, "the current one", "context of the kubeconfig"),
                key("namespace", OptionType.TEXT, "that of this process's pod or of the context", "namespace of pods"),
                key(
                        "image",
                        OptionType.TEXT,
                        "that of this process's pod; outside, eclipse-temurin:<n>-jre, with n of this JVM",
                        "image of jobs that name none; it needs only a JRE"),
                key("pull", OptionType.TEXT, "the cluster's", "when nodes pull an image: missing, always or never")
                        .perJob(),
                key("pull-secrets", OptionType.LIST, "those of this process's pod", "secrets with logins to registries")
                        .perJob(),
                key("service-account", OptionType.TEXT, "the namespace's default", "service account of pods")
                        .perJob(),
                key(
                                "jobs-submit",
                                OptionType.SWITCH,
                                "false",
                                "whether pods get its token, so that programs in them can create pods")
                        .perJob(),
                key("node-selector", OptionType.LIST, "none", "labels that a node must have, name=value")
                        .perJob(),
                key(
                                "tolerations",
                                OptionType.LIST,
                                "none",
                                "tolerated taints of nodes, name=value:effect, name:effect or name")
                        .perJob(),
                key("priority-class", OptionType.TEXT, "the cluster's", "priority class of pods")
                        .perJob(),
                key("labels", OptionType.LIST, "none", "labels of pods, name=value"),
                key("annotations", OptionType.LIST, "none", "annotations of pods, name=value")
                        .perJob(),
                key("pod-template", OptionType.PATH, "none", "YAML file of a pod on which Fiber's pods are based")
                        .perJob(),
                key("memory", OptionType.SIZE, "no limit", "memory of a job that requests none; for Java its heap"),
                key("shm-size", OptionType.SIZE, "64m", "size of /dev/shm of each pod, which counts as memory")
                        .perJob(),
                key(
                                "user",
                                OptionType.TEXT,
                                UserIds.UNPRIVILEGED.toString(),
                                "numeric user and group of a pod's processes, uid:gid, or 'image' for the image's own")
                        .perJob(),
                key("gpu-resource", OptionType.TEXT, "nvidia.com/gpu", "the cluster's name for a GPU")
                        .perJob(),
                key("devices", OptionType.LIST, "none", "other devices for each pod, name=count")
                        .perJob(),
                key(
                        "address",
                        OptionType.TEXT,
                        "this pod's own; outside, the one that leads to the API server",
                        "address or name at which pods reach this process"),
                key(
                        "class-path",
                        OptionType.TEXT,
                        "fetch",
                        "how pods get the class path: fetch, or image if the image has it at the same paths"),
                key("class-path-port", OptionType.INTEGER, "any", "TCP port at which pods fetch the class path"),
                key(
                        "class-path-cache",
                        OptionType.TEXT,
                        "none",
                        "PersistentVolumeClaim, or directory of each node, that keeps the class path for later pods"),
                FailedJobs.option("pods"));
    }

    private static OptionKey key(String name, OptionType type, String defaultText, String description) {
        return OptionKey.of(name, type, defaultText, description);
    }

    /**
     * Parses options.
     *
     * @throws BackendException FBR-179 if one has an invalid value
     */
    static KubernetesOptions of(Options options) {
        return new KubernetesOptions(
                text(options, "kubeconfig"),
                text(options, "context"),
                text(options, "namespace"),
                place(options),
                container(options),
                new ClassPath(
                        options.text("class-path").map(KubernetesOptions::way).orElse(Way.FETCH),
                        port(options),
                        text(options, "class-path-cache")),
                text(options, "address"),
                options.path("pod-template"),
                FailedJobs.of(options));
    }

    private static Place place(Options options) {
        return new Place(
                text(options, "service-account"),
                options.isOn("jobs-submit").orElse(false),
                pairs(options, "node-selector"),
                options.list("tolerations").stream()
                        .map(KubernetesOptions::toleration)
                        .toList(),
                text(options, "priority-class"),
                pairs(options, "labels"),
                pairs(options, "annotations"));
    }

    private static Container container(Options options) {
        String user = options.text("user").map(String::strip).orElse("");
        return new Container(
                text(options, "image"),
                options.text("pull").map(KubernetesOptions::pull),
                options.list("pull-secrets"),
                options.sizeBytes("memory"),
                options.sizeBytes("shm-size").orElse(DEFAULT_SHM_BYTES),
                user.equals("image")
                        ? Optional.empty()
                        : Optional.of(user.isEmpty() ? UserIds.UNPRIVILEGED : user(user)),
                text(options, "gpu-resource").orElse("nvidia.com/gpu"),
                pairs(options, "devices"));
    }

    private static Optional<String> text(Options options, String name) {
        return options.text(name).map(String::strip);
    }

    private static Map<String, String> pairs(Options options, String name) {
        Map<String, String> pairs = new TreeMap<>();
        for (String entry : options.list(name)) {
            int at = entry.indexOf('=');
            if (at <= 0) {
                throw wrong(name, entry, "name=value, several separated by commas");
            }
            pairs.put(entry.substring(0, at).strip(), entry.substring(at + 1).strip());
        }
        return pairs;
    }

    private static Toleration toleration(String text) {
        Matcher parts = TOLERATION.matcher(text.strip());
        if (!parts.matches()) {
            throw wrong(
                    "tolerations",
                    text,
                    "name=value:effect, name:effect or name, where effect is NoSchedule,"
                            + " PreferNoSchedule or NoExecute");
        }
        String value = parts.group(2);
        String key = parts.group(1);
        return new TolerationBuilder()
                .withKey(key.isEmpty() ? null : key)
                .withOperator(value == null ? "Exists" : "Equal")
                .withValue(value)
                .withEffect(parts.group(3))
                .build();
    }

    private static String pull(String text) {
        String policy = PULLS.get(text.strip().toLowerCase(Locale.ROOT));
        if (policy == null) {
            throw wrong("pull", text, "missing, always or never");
        }
        return policy;
    }

    private static Way way(String text) {
        return switch (text.strip()) {
            case "fetch" -> Way.FETCH;
            case "image" -> Way.IMAGE;
            default -> throw wrong("class-path", text, "fetch or image");
        };
    }

    private static int port(Options options) {
        long port = options.integer("class-path-port").orElse(0);
        if (port < 0 || port > MOST_PORT) {
            throw wrong("class-path-port", String.valueOf(port), "0 to " + MOST_PORT);
        }
        return (int) port;
    }

    private static UserIds user(String text) {
        return UserIds.parse(text)
                .orElseThrow(() -> wrong("user", text, "numbers, uid or uid:gid, for example 1000:1000, or image"));
    }

    private static BackendException wrong(String name, String text, String expected) {
        return new BackendException(
                "FBR-179 Option 'fiber.kubernetes." + name + "' is '" + text + "'; expected " + expected + ".");
    }
}
