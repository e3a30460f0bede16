// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import io.fiber.spi.CallerHost;
import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import io.fiber.spi.Options;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportException;
import java.util.List;

/**
 * The configuration, read once.
 *
 * @param context the context with which the transport was created
 * @param ports where to listen for peers that connect over TCP
 * @param media how peers of this host connect
 */
record TransportSettings(TransportContext context, PortRange ports, Media media) {

    static final String PORT_RANGE = "port-range";
    static final String MEDIA = "media";

    static final List<OptionKey> KEYS = List.of(
            OptionKey.of(
                    PORT_RANGE,
                    OptionType.LIST,
                    "a port that is free",
                    "TCP ports to listen at for jobs on other hosts: single ports and ranges such as 20000-20999. One"
                            + " is needed."),
            OptionKey.of(
                    MEDIA,
                    OptionType.TEXT,
                    "auto",
                    "How jobs on this host are reached: auto uses a socket file if only this user has access to it;"
                            + " tcp never uses a socket file, so everything is sealed as between hosts."));

    /** How peers of this host connect. */
    enum Media {
        /** By socket files. */
        AUTO,
        /** By TCP, as between hosts. */
        TCP;

        private static Media parse(String value) {
            return switch (value.trim()) {
                case "auto" -> AUTO;
                case "tcp" -> TCP;
                default ->
                    throw new IllegalArgumentException(
                            "Option '" + MEDIA + "' is '" + value + "', which is neither auto nor tcp");
            };
        }
    }

    static TransportSettings of(TransportContext context) {
        Options options = context.options();
        try {
            PortRange ports =
                    options.text(PORT_RANGE).isEmpty() ? PortRange.ANY : PortRange.parse(options.list(PORT_RANGE));
            Media media = options.text(MEDIA).map(Media::parse).orElse(Media.AUTO);
            return new TransportSettings(context, ports, media);
        } catch (IllegalArgumentException e) {
            throw new TransportException(
                    TransportException.Kind.UNUSABLE,
                    "The options of the transport 'socket' cannot be used: " + e.getMessage() + ". The options are "
                            + options + ".",
                    e);
        }
    }

    /** Returns whether invited peers may connect by a socket file, as far as settings and backend allow. */
    boolean mayUseFiles() {
        return context.callerHost().reach() == CallerHost.Reach.SAME_HOST && media == Media.AUTO;
    }

    /**
     * Returns how long a dialled link waits for its peer, and a silent connection for a sign of the peer's host. It is
     * longer than the lease, so that the lease decides.
     */
    long patienceNs() {
        return Math.max(2 * context.lease().toNanos(), 4_000_000_000L);
    }
}
