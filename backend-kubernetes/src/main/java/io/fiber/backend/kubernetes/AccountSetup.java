// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.spi.Environment;
import io.fiber.spi.backend.PlatformSetup;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The service account with which programs in pods create pods, with its role and its binding.
 *
 * @param options the user's options
 * @param environment where the cluster is looked for
 */
record AccountSetup(KubernetesOptions options, Environment environment) implements PlatformSetup {

    private String name() {
        return options.place().serviceAccount().orElse(Rights.Accounts.DEFAULT_OF_SETUP);
    }

    @Override
    public String text() {
        return Rights.manifest(options.namespace(), name());
    }

    @Override
    public String apply() {
        try (Cluster cluster = Cluster.connect(ClusterAddress.find(options, environment))) {
            String namespace = cluster.namespace();
            byte[] manifest = Rights.manifest(Optional.of(namespace), name()).getBytes(StandardCharsets.UTF_8);
            try {
                cluster.ask(client -> client.load(new ByteArrayInputStream(manifest))
                        .inNamespace(namespace)
                        .forceConflicts()
                        .serverSideApply());
            } catch (Refusal e) {
                throw Rights.unusable(
                        cluster.address(), new Rights.Account(namespace, name()), "is not set up: " + e.words(), e);
            }
            return "The service account '" + name() + "' of namespace '" + namespace + "' at " + cluster.url()
                    + " has the rights to make pods.";
        }
    }
}
