// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import io.fiber.spi.Options;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportException;
import java.util.List;

/**
 * What was configured, read once.
 *
 * @param context who asked
 * @param times the time-outs
 * @param termLengthBytes the length of a term of links that this process invites
 * @param ports where to listen for peers of other hosts
 */
record TransportSettings(TransportContext context, TransportTimes times, int termLengthBytes, PortRange ports) {

    static final OptionKey PORT_RANGE = OptionKey.of(
            "port-range",
            OptionType.LIST,
            "ports that are free",
            "UDP ports to listen at for jobs of other hosts, two are needed: single ports and ranges such as 20000-20999.");

    static final OptionKey TERM_LENGTH = OptionKey.of(
            "term-length",
            OptionType.SIZE,
            "64k",
            "Length of one of the three terms of each direction of a link in bytes, a power of two from 64k to 64m; a frame"
                    + " holds an eighth of it.");

    static final List<OptionKey> KEYS = List.of(PORT_RANGE, TERM_LENGTH);

    static TransportSettings of(TransportContext context) {
        Options options = context.options();
        try {
            int termLength =
                    TermLength.check(options.sizeBytes(TERM_LENGTH.name()).orElse(TermLength.SMALLEST));
            PortRange ports = PortRange.parse(options.list(PORT_RANGE.name()));
            return new TransportSettings(context, TransportTimes.of(context.lease()), termLength, ports);
        } catch (IllegalArgumentException e) {
            throw new TransportException(
                    TransportException.Kind.UNUSABLE,
                    "The options of the transport 'aeron' cannot be used: " + e.getMessage() + ". They are " + options
                            + ".",
                    e);
        }
    }
}
