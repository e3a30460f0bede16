// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import java.util.List;

/**
 * The options of the transport, for the runtime to check and the docs to list; creating a transport does not need them.
 */
final class TransportOptions {

    private static final OptionKey PORT_RANGE_KEY = OptionKey.of(
            TransportSettings.PORT_RANGE,
            OptionType.LIST,
            "ports that are free",
            "UDP ports to listen at for jobs of other hosts, two are needed: single ports and ranges such as 20000-20999.");

    private static final OptionKey TERM_LENGTH_KEY = OptionKey.of(
            TransportSettings.TERM_LENGTH,
            OptionType.SIZE,
            "64k",
            "Length of one of the three terms of each direction of a link in bytes, a power of two from 64k to 64m; a frame"
                    + " holds an eighth of it.");

    private static final OptionKey DATA_TERM_LENGTH_KEY = OptionKey.of(
            TransportSettings.DATA_TERM_LENGTH,
            OptionType.SIZE,
            "1m",
            "The same for links of pipes and rings, of which there are few and which carry much: each of them takes six such"
                    + " terms of shared memory. Unless it is set it is 4m where 2 GiB of shared memory are free.");

    private static final OptionKey MEDIA_KEY = OptionKey.of(
            TransportSettings.MEDIA,
            OptionType.TEXT,
            "auto",
            "Over what jobs of this host are reached: auto is shared memory where it is proven to be the same, udp is never"
                    + " shared memory, so that everything is sealed as between hosts.");

    static final List<OptionKey> KEYS = List.of(PORT_RANGE_KEY, TERM_LENGTH_KEY, MEDIA_KEY, DATA_TERM_LENGTH_KEY);

    private TransportOptions() {}
}
