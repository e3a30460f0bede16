// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.backend.support.CallerAddress;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Finds the address of this process that pods can dial. */
final class MasterAddress {

    private MasterAddress() {}

    /**
     * Returns the user's address; by default this pod's own. Outside a pod, returns the address from which the API
     * server is reached, or the only address of this host.
     *
     * @throws BackendException FBR-175 if pods can dial none of them
     */
    static CallerHost find(Cluster cluster, KubernetesOptions options, Optional<OwnPod> pod) {
        if (options.address().isPresent()) {
            return CallerAddress.named(options.address().get());
        }
        return pod.flatMap(OwnPod::ip)
                .map(CallerAddress::named)
                .or(() -> towards(cluster.url()))
                .or(MasterAddress::only)
                .orElseThrow(() -> new BackendException("FBR-175 Fiber does not know at which address pods reach this"
                        + " process:"
                        + " the API server at " + cluster.url()
                        + " is reached from this host's loopback, and this host has"
                        + " the addresses " + CallerAddress.own()
                        + ". Set fiber.kubernetes.address to the one that pods can reach."));
    }

    private static Optional<CallerHost> towards(String url) {
        String host = URI.create(url).getHost();
        if (host == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(CallerAddress.towards(host.replace("[", "").replace("]", "")))
                    .filter(address -> !address.isLoopbackAddress() && !address.isAnyLocalAddress())
                    .map(CallerAddress::at);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<CallerHost> only() {
        List<InetAddress> own = CallerAddress.own();
        return own.size() == 1 ? Optional.of(CallerAddress.at(own.get(0))) : Optional.empty();
    }
}
