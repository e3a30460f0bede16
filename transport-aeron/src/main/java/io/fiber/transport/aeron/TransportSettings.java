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
import java.util.OptionalLong;

/**
 * The configuration, read once.
 *
 * @param context the context with which the transport was created
 * @param times the timeouts
 * @param termLengthBytes the length of a term of links for a conversation that this process invites
 * @param dataTermLengthBytes the same for links for data
 * @param ports where to listen for peers that connect over UDP
 * @param media how peers connect
 */
record TransportSettings(
        TransportContext context,
        TransportTimes times,
        int termLengthBytes,
        int dataTermLengthBytes,
        int roomyDataTermLengthBytes,
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
                    "64k",
                    "Length in bytes of each of the three terms of one direction of a link, a power of two from 64k"
                            + " to 64m. A frame holds at most an eighth of it."),
            OptionKey.of(
                    MEDIA,
                    OptionType.TEXT,
                    "auto",
                    "How jobs on this host are reached: auto uses shared memory if it is proven to be the same; udp"
                            + " never uses shared memory, so everything is sealed as between hosts."),
            OptionKey.of(
                    DATA_TERM_LENGTH,
                    OptionType.SIZE,
                    "1m",
                    "The same for links of pipes and rings, which are few and carry much. Each of them takes six such"
                            + " terms of shared memory. If this is not set and 2 GiB of shared memory are free, it is"
                            + " 4m."));

    private static final int USUAL_DATA_TERM_BYTES = 1 << 20;
    private static final int ROOMY_DATA_TERM_BYTES = 4 << 20;

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

    int termLengthBytes(LinkUse use) {
        return use == LinkUse.DATA ? dataTermLengthBytes : termLengthBytes;
    }

    /**
     * Returns the length to use if there is plenty of memory. It leaves the driver time for its turn in each half term
     * before a log wraps.
     */
    int roomyTermLengthBytes(LinkUse use) {
        return use == LinkUse.DATA ? roomyDataTermLengthBytes : termLengthBytes;
    }

    /** Returns whether invited peers may share this process's memory, as far as settings and backend allow. */
    boolean mayShareMemory() {
        return context.callerHost().reach() == CallerHost.Reach.SAME_HOST && media == Media.AUTO;
    }

    static TransportSettings of(TransportContext context) {
        Options options = context.options();
        try {
            int termLength = TermLength.check(options.sizeBytes(TERM_LENGTH).orElse(TermLength.SMALLEST));
            OptionalLong chosen = options.sizeBytes(DATA_TERM_LENGTH);
            int dataTermLength = TermLength.check(chosen.orElse(Math.max(USUAL_DATA_TERM_BYTES, termLength)));
            int roomyDataTermLength = TermLength.check(chosen.orElse(Math.max(ROOMY_DATA_TERM_BYTES, termLength)));
            PortRange ports =
                    options.text(PORT_RANGE).isEmpty() ? PortRange.ANY : PortRange.parse(options.list(PORT_RANGE));
            Media media = options.text(MEDIA).map(Media::parse).orElse(Media.AUTO);
            return new TransportSettings(
                    context,
                    TransportTimes.of(context.lease()),
                    termLength,
                    dataTermLength,
                    roomyDataTermLength,
                    ports,
                    media);
        } catch (IllegalArgumentException e) {
            throw new TransportException(
                    TransportException.Kind.UNUSABLE,
                    "The options of the transport 'aeron' cannot be used: " + e.getMessage() + ". The options are "
                            + options + ".",
                    e);
        }
    }
}
