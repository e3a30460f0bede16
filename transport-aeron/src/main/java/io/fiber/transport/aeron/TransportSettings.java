// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportException;
import java.util.OptionalLong;

/**
 * What was configured, read once.
 *
 * @param context who asked
 * @param times the time-outs
 * @param termLengthBytes the length of a term of links that this process invites for a conversation
 * @param dataTermLengthBytes the same of links for data
 * @param ports where to listen for peers that are reached over UDP
 * @param media over what peers are reached
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
    private static final int USUAL_DATA_TERM_BYTES = 1 << 20;
    private static final int ROOMY_DATA_TERM_BYTES = 4 << 20;

    int termLengthBytes(LinkUse use) {
        return use == LinkUse.DATA ? dataTermLengthBytes : termLengthBytes;
    }

    /** Returns the length where memory is plenty: before a log is written on, the driver must have had its turn each half term. */
    int roomyTermLengthBytes(LinkUse use) {
        return use == LinkUse.DATA ? roomyDataTermLengthBytes : termLengthBytes;
    }

    /** Tells whether peers that this process invites may share its memory, as far as settings and backend go. */
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
                    "The options of the transport 'aeron' cannot be used: " + e.getMessage() + ". They are " + options
                            + ".",
                    e);
        }
    }
}
