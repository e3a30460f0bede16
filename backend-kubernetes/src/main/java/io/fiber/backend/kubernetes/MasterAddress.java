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
     * Returns the address that the user has set, otherwise that of this pod. Outside a pod, returns the address from
     * which the API server is reached, or the only address of this host.
     *
     * @throws BackendException FBR-175 if pods can dial none of them
     */
    static CallerHost find(Cluster cluster, KubernetesOptions options, Optional<OwnPod> pod) {
        Optional<String> known = options.address().or(() -> pod.flatMap(OwnPod::ip));
        if (known.isPresent()) {
            return CallerAddress.named(known.get());
        }
        try {
            return addressTowards(cluster.url());
        } catch (IOException e) {
            return onlyOwnAddress()
                    .orElseThrow(() -> new BackendException(
                            "FBR-175 Fiber does not know at which address pods reach this process: " + e.getMessage()
                                    + ", and this host has the addresses " + CallerAddress.own()
                                    + ". Set fiber.kubernetes.address to the one that pods can reach.",
                            e));
        }
    }

    /**
     * Returns the address from which a URL is reached.
     *
     * @throws IOException if pods cannot dial it; the message says why
     */
    static CallerHost addressTowards(String url) throws IOException {
        String host = URI.create(url).getHost();
        if (host == null) {
            throw new IOException("the URL of the API server, " + url + ", has no valid host name");
        }
        InetAddress own;
        try {
            own = CallerAddress.towards(host.replace("[", "").replace("]", ""));
        } catch (IOException e) {
            throw new IOException("this host has no way to the API server at " + url + " (" + e + ")", e);
        }
        if (own.isLoopbackAddress() || own.isAnyLocalAddress()) {
            throw new IOException("the API server at " + url + " is reached from this host's loopback");
        }
        return CallerAddress.at(own);
    }

    private static Optional<CallerHost> onlyOwnAddress() {
        List<InetAddress> own = CallerAddress.own();
        return own.size() == 1 ? Optional.of(CallerAddress.at(own.get(0))) : Optional.empty();
    }
}
