// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.spi.backend.BackendException;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What is left of a session in the cluster: everything that has its label. {@link #main} is the small JVM that removes it
 * when the program is gone, or when the API server did not answer at the program's end.
 */
final class Remains {

    /** Somewhat more than ten minutes. */
    private static final int ATTEMPTS = 200;

    private static final long PAUSE_S = 3;
    private static final long GRACE_S = 1;

    private Remains() {}

    /** Returns the command that removes what is left of a session; it holds no secret. */
    static List<String> command(ClusterAddress address, SessionLabels labels, KubernetesOptions.Keep keep) {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                classPath(),
                Remains.class.getName()));
        words.addAll(address.words());
        words.add(labels.sessionId());
        words.add(keep.name());
        return words;
    }

    private static String classPath() {
        List<String> entries = new ArrayList<>();
        for (String property : List.of("java.class.path", "jdk.module.path")) {
            Arrays.stream(System.getProperty(property, "").split(File.pathSeparator, -1))
                    .filter(entry -> !entry.isEmpty())
                    .map(entry -> Path.of(entry).toAbsolutePath().toString())
                    .forEach(entries::add);
        }
        return String.join(File.pathSeparator, entries);
    }

    /** Removes what is left of a session, again when the API server does not answer. */
    public static void main(String[] arguments) throws InterruptedException {
        List<String> words = List.of(arguments);
        ClusterAddress address = ClusterAddress.ofWords(words.subList(0, ClusterAddress.WORDS));
        SessionLabels labels = new SessionLabels(words.get(ClusterAddress.WORDS));
        KubernetesOptions.Keep keep = KubernetesOptions.Keep.valueOf(words.get(ClusterAddress.WORDS + 1));
        try (Cluster cluster = Cluster.connect(address)) {
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                boolean removed = isRemoved(cluster, labels, keep);
                TimeUnit.SECONDS.sleep(PAUSE_S);
                if (removed) {
                    // What the program asked for last may have appeared only now.
                    isRemoved(cluster, labels, keep);
                    return;
                }
            }
        }
    }

    private static boolean isRemoved(Cluster cluster, SessionLabels labels, KubernetesOptions.Keep keep) {
        try {
            cluster.deletePods(labels, GRACE_S, keep);
            cluster.deleteSecrets(labels);
            return true;
        } catch (BackendException | Refusal e) {
            return false;
        }
    }
}
