// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.TransportException;
import io.fiber.transport.socket.LinkAddress.TcpEndpoint;
import io.fiber.transport.socket.LinkAddress.UnixEndpoint;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What stands in an address, and what is said of one that cannot be read. */
final class LinkAddressTest {

    private static final Token TOKEN = new Token(0x0123456789abcdefL, -2);
    private static final String DIGITS = "0123456789abcdeffffffffffffffffe";

    @Test
    void textNamesEndpointTokenAndUse() {
        assertThat(new LinkAddress(new UnixEndpoint(Path.of("/tmp/a b;/f")), TOKEN, LinkUse.CONVERSATION)
                        .toAddress()
                        .text())
                .isEqualTo("socket:unix;path=/tmp/a+b%3B/f;token=" + DIGITS);
        assertThat(new LinkAddress(new TcpEndpoint("fe80::1%eth0", 40123), TOKEN, LinkUse.DATA)
                        .toAddress()
                        .text())
                .isEqualTo("socket:tcp;host=fe80%3A%3A1%25eth0;port=40123;token=" + DIGITS + ";use=data");
    }

    @Test
    void letterOutsideOfAsciiIsReadAsItWasWritten() {
        String charset = System.getProperty("sun.jnu.encoding");
        assumeThat(charset)
                .as("charset of this locale, in which files have names")
                .isEqualTo("UTF-8");
        LinkAddress written = new LinkAddress(new UnixEndpoint(Path.of("/tmp/\u00fc")), TOKEN, LinkUse.DATA);

        assertThat(written.toAddress().text()).startsWith("socket:unix;path=/tmp/%C3%BC;");
        assertThat(LinkAddress.parse(written.toAddress())).isEqualTo(written);
    }

    @Test
    void textIsReadAsItWasWritten() {
        for (LinkUse use : LinkUse.values()) {
            for (LinkAddress.Endpoint endpoint : new LinkAddress.Endpoint[] {
                new UnixEndpoint(Path.of("/tmp/a b;%+=/f")), new TcpEndpoint("node-7.example.org", 1)
            }) {
                LinkAddress written = new LinkAddress(endpoint, TOKEN, use);
                assertThat(LinkAddress.parse(written.toAddress())).isEqualTo(written);
            }
        }
    }

    @Test
    void addressOfAnotherTransportIsNamed() {
        assertRefused(
                "aeron:udp;host=a",
                "Address 'aeron:udp;host=a' is not of the transport 'socket'. Expected a text beginning with"
                        + " 'socket:unix;' or 'socket:tcp;'; both processes must use the same transport.");
    }

    @Test
    void whatCannotBeReadIsNamed() {
        Map.of(
                        "socket:unix",
                        "'path=' is missing",
                        "socket:tcp;host=;port=1;token=" + DIGITS,
                        "'host=' is missing",
                        "socket:tcp;host=a;port=70000;token=" + DIGITS,
                        "'port' is 70000, which is not a port",
                        "socket:unix;path=/a;token=12",
                        "'token' has 2 digits instead of 32",
                        "socket:unix;path=/a;token=" + DIGITS + ";use=talk",
                        "'use' is 'talk', which is not data",
                        "socket:unix;path=/a;token=" + DIGITS + ";use=data;more=1",
                        "'more=1' is one field too many")
                .forEach((text, reason) -> assertRefused(
                        text,
                        "Address '" + text + "' cannot be read: " + reason
                                + ". Expected an address from Transport.invite() of the same version of"
                                + " fiber-transport-socket."));
    }

    @Test
    void providerSaysInWordsWhereAnAddressLeads() {
        SocketTransportProvider provider = new SocketTransportProvider();
        assertThat(provider.inWords(new Address("socket:unix;path=/a/b;token=" + DIGITS)))
                .isEqualTo("the socket file /a/b of this host");
        assertThat(provider.inWords(new Address("socket:tcp;host=10.1.0.5;port=40123;token=" + DIGITS)))
                .isEqualTo("10.1.0.5:40123 (TCP)");
        assertThat(provider.inWords(new Address("socket:tcp;host=fe80%3A%3A1;port=1;token=" + DIGITS)))
                .isEqualTo("[fe80::1]:1 (TCP)");
        assertThat(provider.inWords(new Address("memory:x"))).isEqualTo("memory:x");
    }

    private static void assertRefused(String text, String message) {
        assertThatThrownBy(() -> LinkAddress.parse(new Address(text)))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.BAD_ADDRESS))
                .hasMessage(message);
    }
}
