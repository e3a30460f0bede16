// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.CallerHost;
import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import io.fiber.spi.Options;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportException;
import java.util.List;

/**
 * The configuration, read once.
 *
 * @param context the context with which the transport was created
 * @param times the timeouts
 * @param conversation the terms of links for a conversation that this process invites
 * @param data the same for links for data
 * @param ports where to listen for peers that connect over UDP
 * @param media how peers connect
 */
record TransportSettings(
        TransportContext context,
        TransportTimes times,
        TermLength conversation,
        TermLength data,
        PortRange ports,
        Media media) {

    static final String PORT_RANGE = "port-range";
    static final String TERM_LENGTH = "term-length";
    static final String DATA_TERM_LENGTH = "data-term-length";
    static final String MEDIA = "media";

    static final List<OptionKey> KEYS = List.of(
            OptionKey.of(
                    PORT_RANGE,
                    OptionType.LIST,
                    "ports that are free",
                    "UDP ports to listen at for jobs on other hosts: single ports and ranges such as 20000-20999. Two"
                            + " are needed."),
            OptionKey.of(
                    TERM_LENGTH,
                    OptionType.SIZE,
                    "64k to 512k",
                    "Length in bytes of each of the three terms of one direction of a link, a power of two from 64k"
                            + " to 64m. A frame holds at most an eighth of it. If this is not set, it is 64k over UDP,"
                            + " and in shared memory the longest up to 512k of which 1024 links fit into half of the"
                            + " free memory."),
            OptionKey.of(
                    MEDIA,
                    OptionType.TEXT,
                    "auto",
                    "How jobs on this host are reached: auto uses shared memory if it is proven to be the same; udp"
                            + " never uses shared memory, so everything is sealed as between hosts."),
            OptionKey.of(
                    DATA_TERM_LENGTH,
                    OptionType.SIZE,
                    "1m to 4m",
                    "The same for links of pipes and rings, which are few and carry much. Each of them takes six such"
                            + " terms of shared memory. If this is not set, it is 1m over UDP, and in shared memory the"
                            + " longest up to 4m of which 32 links fit into half of the free memory."));

    /** Longer ones make the first large payload faster, and the start of each worker slower. */
    private static final int MOST_TERM_BYTES = 512 << 10;

    private static final TermLength DATA = new TermLength(1 << 20, 4 << 20, 32);

    /** How invited peers connect to this process. */
    enum Media {
        /** By shared memory for peers of this user on this host, and by UDP for all others. */
        AUTO,
        /** By UDP for all peers, even those that could share memory. */
        UDP;

        private static Media parse(String value) {
            return switch (value.trim()) {
                case "auto" -> AUTO;
                case "udp" -> UDP;
                default ->
                    throw new IllegalArgumentException(
                            "Option '" + MEDIA + "' is '" + value + "', which is neither auto nor udp");
            };
        }
    }

    TermLength terms(LinkUse use) {
        return use == LinkUse.DATA ? data : conversation;
    }

    /** Returns whether invited peers may share this process's memory, as far as settings and backend allow. */
    boolean mayShareMemory() {
        return context.callerHost().reach() == CallerHost.Reach.SAME_HOST && media == Media.AUTO;
    }

    static TransportSettings of(TransportContext context) {
        Options options = context.options();
        try {
            TermLength conversation = new TermLength(TermLength.SMALLEST, MOST_TERM_BYTES, context.maxPeers())
                    .or(options.sizeBytes(TERM_LENGTH));
            TermLength data = DATA.atLeast(conversation.least()).or(options.sizeBytes(DATA_TERM_LENGTH));
            PortRange ports =
                    options.text(PORT_RANGE).isEmpty() ? PortRange.ANY : PortRange.parse(options.list(PORT_RANGE));
            Media media = options.text(MEDIA).map(Media::parse).orElse(Media.AUTO);
            return new TransportSettings(context, TransportTimes.of(context.lease()), conversation, data, ports, media);
        } catch (IllegalArgumentException e) {
            throw new TransportException(
                    TransportException.Kind.UNUSABLE,
                    "The options of the transport 'aeron' cannot be used: " + e.getMessage() + ". The options are "
                            + options + ".",
                    e);
        }
    }
}
