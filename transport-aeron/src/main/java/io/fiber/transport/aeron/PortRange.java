// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import java.util.ArrayList;
import java.util.List;

/**
 * The ports at which this process may listen.
 *
 * @param spans first and last port of each span; empty means any free port
 */
record PortRange(List<Span> spans) {

    static final PortRange ANY = new PortRange(List.of());

    /** Ports from {@code first} to {@code last}, both inclusive. */
    record Span(int first, int last) {}

    /**
     * Parses entries such as {@code 20000} and {@code 20000-20999}.
     *
     * @throws IllegalArgumentException if an entry is neither
     */
    static PortRange parse(List<String> entries) {
        List<Span> spans = new ArrayList<>(entries.size());
        for (String entry : entries) {
            int dash = entry.indexOf('-');
            int first = port(dash < 0 ? entry : entry.substring(0, dash));
            int last = dash < 0 ? first : port(entry.substring(dash + 1));
            if (first < 1 || last < first || last > 65_535) {
                throw new IllegalArgumentException("Option '" + TransportSettings.PORT_RANGE + "' has the entry '"
                        + entry + "', which is neither a port from 1 to 65535 nor a range such as 20000-20999");
            }
            spans.add(new Span(first, last));
        }
        return new PortRange(List.copyOf(spans));
    }

    /** Returns 0 if the text is not a number. */
    private static int port(String text) {
        try {
            return Integer.parseInt(text.trim());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Returns whether any free port is allowed. */
    boolean isAny() {
        return spans.isEmpty();
    }

    @Override
    public String toString() {
        if (isAny()) {
            return "any free port";
        }
        StringBuilder text = new StringBuilder();
        for (Span span : spans) {
            text.append(text.isEmpty() ? "" : ",")
                    .append(span.first())
                    .append('-')
                    .append(span.last());
        }
        return text.toString();
    }
}
