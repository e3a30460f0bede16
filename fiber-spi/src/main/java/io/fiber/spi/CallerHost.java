// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;

/**
 * How a job reaches the process that submitted it.
 *
 * @param bind the local address to listen at
 * @param advertised the address or host name that a job dials; it may differ from {@code bind} behind a NAT
 * @param reach how near the jobs are
 */
public record CallerHost(InetAddress bind, String advertised, Reach reach) {

    /** How near jobs are to the process that submits them. */
    public enum Reach {
        /**
         * Jobs run on this host, under this user, in the same namespaces, and see its files: memory may be shared with
         * them, once a transport has proven it.
         */
        SAME_HOST,
        /** Jobs run elsewhere, or are walled off: they are reached over the network only. */
        NETWORK
    }

    public CallerHost {
        requireNonNull(bind, "bind");
        requireNonNull(advertised, "advertised");
        requireNonNull(reach, "reach");
    }

    /** Returns the host of a caller whose jobs run beside it: the loopback address, memory may be shared. */
    public static CallerHost sameHost() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        return new CallerHost(loopback, loopback.getHostAddress(), Reach.SAME_HOST);
    }
}
