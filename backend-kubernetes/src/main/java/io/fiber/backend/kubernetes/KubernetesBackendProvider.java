// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.spi.Environment;
import io.fiber.spi.OptionKey;
import io.fiber.spi.Options;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.PlatformSetup;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Provides the backend {@code kubernetes}, whose jobs are pods. {@code docs/kubernetes.md} describes the options.
 *
 * <p>As on every backend, the requested memory of a Java program is its heap ({@code -Xmx}). Its pod may use a quarter
 * more, at least 192 MiB more, and the size of {@code /dev/shm} in addition.
 */
public final class KubernetesBackendProvider implements BackendProvider {

    static final String NAME = "kubernetes";

    private static final Set<Capability> CAPABILITIES = Set.copyOf(EnumSet.of(
            Capability.LOGS,
            Capability.CONSOLE,
            Capability.CPU_LIMIT,
            Capability.MEMORY_LIMIT,
            Capability.GPU,
            Capability.IMAGE,
            Capability.VOLUMES,
            Capability.LABELS,
            Capability.TIME_LIMIT,
            Capability.RESTARTS,
            Capability.WORKING_DIRECTORY,
            Capability.PREEMPTION_NOTICE));

    /** Creates the provider; does nothing else. */
    public KubernetesBackendProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<OptionKey> options() {
        return KubernetesOptions.keys();
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Probe probe(Environment environment) {
        return ClusterAddress.insideOf(environment)
                .<Probe>map(Probe.Inside::new)
                .or(() -> ClusterAddress.fileOf(environment).map(Probe.Usable::new))
                .orElseGet(() -> new Probe.Unusable("this process is not in a pod with a service account's token, "
                        + ClusterAddress.VARIABLE + " is not set, and there is no file "
                        + ClusterAddress.homeFile(environment) + "; set fiber.kubernetes.kubeconfig"));
    }

    @Override
    public Optional<PlatformSetup> setup(Options options, Environment environment) {
        return Optional.of(new AccountSetup(KubernetesOptions.of(options), environment));
    }

    @Override
    public Backend create(BackendContext context) {
        KubernetesOptions options = KubernetesOptions.of(context.options());
        Cluster cluster = Cluster.connect(ClusterAddress.find(options, context.environment()));
        try {
            return new KubernetesBackend(context, cluster, options);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }
}
