// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.TransportException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * The parsed form of an {@link Address}; the package's documentation shows the layout.
 *
 * @param endpoint where the inviting process listens
 * @param token identifies the invitation
 * @param use the purpose of the link
 */
record LinkAddress(Endpoint endpoint, Token token, LinkUse use) {

    static final String TRANSPORT = "socket";
    private static final String UNIX = TRANSPORT + ":unix";
    private static final String TCP = TRANSPORT + ":tcp";
    private static final String DATA = "data";

    /** Where a process listens. */
    sealed interface Endpoint {
        /** Returns a readable form for the text of an error. */
        String inWords();
    }

    /** A socket file of this host. */
    record UnixEndpoint(Path file) implements Endpoint {
        @Override
        public String inWords() {
            return "the socket file " + file + " of this host";
        }
    }

    /** A port of a host, which is given by an address or a name. */
    record TcpEndpoint(String host, int port) implements Endpoint {
        @Override
        public String inWords() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port + " (TCP)";
        }
    }

    /** Returns the address for a program that knows only a host and a port. */
    static LinkAddress ofNewcomers(String host, int port) {
        return new LinkAddress(new TcpEndpoint(host, port), Token.OF_NEWCOMERS, LinkUse.CONVERSATION);
    }

    boolean isOfNewcomers() {
        return token.equals(Token.OF_NEWCOMERS);
    }

    boolean isUnix() {
        return endpoint instanceof UnixEndpoint;
    }

    Address toAddress() {
        StringBuilder text = new StringBuilder();
        if (endpoint instanceof UnixEndpoint unix) {
            text.append(UNIX).append(";path=").append(encode(unix.file().toString()));
        } else if (endpoint instanceof TcpEndpoint tcp) {
            text.append(TCP).append(";host=").append(encode(tcp.host()));
            text.append(";port=").append(tcp.port());
        }
        text.append(";token=").append(token);
        return new Address(
                text.append(use == LinkUse.DATA ? ";use=" + DATA : "").toString());
    }

    /**
     * Parses an address.
     *
     * @throws TransportException (BAD_ADDRESS) if it is not an address of this transport
     */
    static LinkAddress parse(Address address) {
        Queue<String> fields = new ArrayDeque<>(List.of(address.text().split(";", -1)));
        String kind = fields.remove();
        if (!kind.equals(UNIX) && !kind.equals(TCP)) {
            throw new TransportException(
                    TransportException.Kind.BAD_ADDRESS,
                    "Address '" + address.text()
                            + "' is not of the transport 'socket'. Expected a text beginning with '" + UNIX + ";' or '"
                            + TCP + ";'; both processes must use the same transport.");
        }
        try {
            Endpoint endpoint = kind.equals(UNIX)
                    ? new UnixEndpoint(Path.of(decode(value("path", fields))))
                    : new TcpEndpoint(decode(value("host", fields)), port(value("port", fields)));
            Token token = Token.parse(value("token", fields));
            LinkUse use = fields.isEmpty() ? LinkUse.CONVERSATION : use(value("use", fields));
            if (!fields.isEmpty()) {
                throw new IllegalArgumentException("'" + fields.element() + "' is one field too many");
            }
            return new LinkAddress(endpoint, token, use);
        } catch (IllegalArgumentException e) {
            throw new TransportException(
                    TransportException.Kind.BAD_ADDRESS,
                    "Address '" + address.text() + "' cannot be read: " + e.getMessage()
                            + ". Expected an address from Transport.invite() of the same version of"
                            + " fiber-transport-socket.",
                    e);
        }
    }

    private static String value(String key, Queue<String> fields) {
        String field = fields.isEmpty() ? "" : fields.remove();
        if (!field.startsWith(key + "=") || field.length() == key.length() + 1) {
            throw new IllegalArgumentException("'" + key + "=' is missing");
        }
        return field.substring(key.length() + 1);
    }

    private static int port(String text) {
        int port = Integer.parseInt(text);
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("'port' is " + port + ", which is not a port");
        }
        return port;
    }

    private static LinkUse use(String text) {
        if (!text.equals(DATA)) {
            throw new IllegalArgumentException("'use' is '" + text + "', which is not " + DATA);
        }
        return LinkUse.DATA;
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("%2F", "/");
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
