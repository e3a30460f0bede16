// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

/** Over what peers that are invited reach this process. */
enum Media {
    /** Shared memory with peers of this user on this host, UDP with all others. */
    AUTO("auto"),
    /** UDP with all peers, also with those that could share memory. */
    UDP("udp");

    private final String text;

    Media(String text) {
        this.text = text;
    }

    /**
     * Reads the value of an option.
     *
     * @throws IllegalArgumentException when it is none of them
     */
    static Media parse(String value) {
        for (Media media : values()) {
            if (media.text.equals(value.trim())) {
                return media;
            }
        }
        throw new IllegalArgumentException(
                "Option '" + TransportSettings.MEDIA + "' is '" + value + "', which is neither auto nor udp");
    }
}
