// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

/**
 * One direction of a link: the number of the stream, and the only session that may publish on it.
 *
 * @param stream Aeron's stream id
 * @param session Aeron's session id
 */
record StreamId(int stream, int session) {

    static StreamId parse(String text) {
        int dot = text.indexOf('.');
        if (dot < 0) {
            throw new NumberFormatException("no dot in '" + text + "'");
        }
        return new StreamId(
                Integer.parseUnsignedInt(text.substring(0, dot), 16),
                Integer.parseUnsignedInt(text.substring(dot + 1), 16));
    }

    /** Returns both numbers in one, as a key for maps. */
    long key() {
        return key(stream, session);
    }

    static long key(int stream, int session) {
        return ((long) stream << 32) | (session & 0xffff_ffffL);
    }

    @Override
    public String toString() {
        return Integer.toHexString(stream) + "." + Integer.toHexString(session);
    }
}
