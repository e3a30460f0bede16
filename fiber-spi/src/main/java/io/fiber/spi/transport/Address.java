// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

/**
 * The address that a peer dials, as a text that only the transport that created it understands. It contains no secret.
 *
 * @param text printable ASCII without blanks, at most 1024 characters, beginning with the transport's name and a colon
 */
public record Address(String text) {

    private static final int MAX_LENGTH = 1024;

    /**
     * Checks the form.
     *
     * @throws IllegalArgumentException if the text is not an address
     */
    public Address {
        if (text.isEmpty() || text.length() > MAX_LENGTH || !isPrintable(text)) {
            throw new IllegalArgumentException(
                    "Address '" + text + "' must be 1 to 1024 printable ASCII characters without blanks.");
        }
    }

    private static boolean isPrintable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c >= 0x7f) {
                return false;
            }
        }
        return true;
    }
}
