// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/**
 * Where a worker looks for its master, for the error of a worker that did not find it.
 *
 * @param place the dialled address, in words
 * @param available returns the names of all transports on the class path
 */
public record MasterRoute(String master, String transport, String place, Supplier<List<String>> available) {

    /** Returns the message for a master that did not answer: what could not be reached, and from where. */
    String isShut(long limitMs) {
        return "FBR-157 the master '" + master + "' at " + place + " did not accept this worker within " + limitMs
                + " ms, so the worker ends. It dialled from " + here()
                + ". If the master is alive, this host cannot reach that address, or gets no answer from it. Open"
                + " these ports in the firewalls between the two hosts (fiber." + transport
                + ".port-range sets them), or set fiber.advertised-address to an address of the master that this host"
                + " can reach."
                + another();
    }

    private String another() {
        List<String> others =
                available.get().stream().filter(name -> !name.equals(transport)).toList();
        return others.isEmpty()
                ? ""
                : " If firewalls block this transport, set fiber.transport to " + String.join(" or ", others)
                        + ". 'fiber doctor' tests which protocols get through.";
    }

    private static String here() {
        String name =
                System.getenv().getOrDefault("SLURMD_NODENAME", System.getenv().getOrDefault("HOSTNAME", ""));
        return (name.isEmpty() ? "a host" : "the host '" + name + "'") + " with the addresses " + addresses();
    }

    private static List<String> addresses() {
        try {
            return Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                    .map(InetAddress::getHostAddress)
                    .toList();
        } catch (SocketException e) {
            return List.of();
        }
    }
}
