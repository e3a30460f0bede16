// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;

/**
 * How a job reaches the process that submitted it.
 *
 * @param bind the local address to listen at
 * @param advertised the address or host name that a job dials; behind a NAT it may differ from {@code bind}
 * @param reach how close the jobs are
 */
public record CallerHost(InetAddress bind, String advertised, Reach reach) {

    /** How close jobs are to the process that submits them. */
    public enum Reach {
        /**
         * Jobs run on this host as this user, in the same namespaces, and see its files. Memory may be shared with them
         * once a transport has verified that it is the same memory.
         */
        SAME_HOST,
        /** Jobs run elsewhere or are isolated, and can be reached only over the network. */
        NETWORK
    }

    public CallerHost {
        requireNonNull(bind, "bind");
        requireNonNull(advertised, "advertised");
        requireNonNull(reach, "reach");
    }

    /** Returns the host of a caller whose jobs run on the same host: the loopback address, and memory may be shared. */
    public static CallerHost sameHost() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        return new CallerHost(loopback, loopback.getHostAddress(), Reach.SAME_HOST);
    }
}
