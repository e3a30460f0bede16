// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.Job;
import io.fiber.tck.cluster.BackendSession;
import io.fiber.tck.cluster.KitContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A backend on a real cluster with a session around it, and a test's own way to the cluster. */
final class KitSession extends BackendSession {

    private static final Duration LIMIT = Duration.ofMinutes(4);

    private final KitCluster cluster = new KitCluster();

    KitSession(Path directory, Map<String, String> values) {
        this(new KitContext("kitsession01", directory, KubernetesFixture.options(values), Environment.system()));
    }

    private KitSession(KitContext context) {
        super(context, new KubernetesBackendProvider().create(context), LIMIT);
    }

    KitCluster cluster() {
        return cluster;
    }

    Pod pod(Job job) {
        return cluster.pod(job.id());
    }

    @Override
    public void close() {
        super.close();
        cluster.close();
    }
}
