// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The ports at which this process may listen.
 *
 * @param inWords the ports and where they were set, for the text of an error
 * @param ports the ports to try, in order; 0, which lets the system choose, if any port is allowed
 */
record PortRange(String inWords, List<Integer> ports) {

    private static final String BY_OPTION = " (option '" + TransportSettings.PORT_RANGE + "')";

    static final PortRange ANY = new PortRange("any free port" + BY_OPTION, List.of(0));

    /** Returns a range with a single port. */
    static PortRange of(int port) {
        return new PortRange("port " + port, List.of(port));
    }

    /**
     * Parses entries such as {@code 20000} and {@code 20000-20999}.
     *
     * @throws IllegalArgumentException if an entry is neither
     */
    static PortRange parse(List<String> entries) {
        return new PortRange(
                String.join(",", entries) + BY_OPTION,
                entries.stream().flatMapToInt(PortRange::span).boxed().toList());
    }

    private static IntStream span(String entry) {
        int dash = entry.indexOf('-');
        int first = port(dash < 0 ? entry : entry.substring(0, dash));
        int last = dash < 0 ? first : port(entry.substring(dash + 1));
        if (first < 1 || last < first || last > 65_535) {
            throw new IllegalArgumentException("Option '" + TransportSettings.PORT_RANGE + "' has the entry '" + entry
                    + "', which is neither a port from 1 to 65535 nor a range such as 20000-20999");
        }
        return IntStream.rangeClosed(first, last);
    }

    /** Returns 0 if the text is not a number. */
    private static int port(String text) {
        try {
            return Integer.parseInt(text.trim());
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
