// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.TransportException;

/** The parsed form of an {@link Address}; the package's documentation shows the layout. */
sealed interface AeronAddress {

    String IPC_PREFIX = "aeron:ipc;";
    String UDP_PREFIX = "aeron:udp;";
    String DATA = ";use=data";

    /** Returns the stream from the dialling to the inviting side. */
    StreamId toInviter();

    /** Returns the stream from the inviting to the dialling side. */
    StreamId toDialler();

    LinkShape shape();

    Address toAddress();

    /**
     * Shared memory of a driver on this host.
     *
     * @param directory the driver's directory
     * @param identity identifies the directory, so that no other can take its place
     */
    record Ipc(String directory, DirectoryIdentity identity, StreamId toInviter, StreamId toDialler, LinkShape shape)
            implements AeronAddress {
        @Override
        public Address toAddress() {
            return new Address(IPC_PREFIX + "dir=" + AddressFields.encode(directory) + ";inode=" + identity.inode()
                    + ";uid=" + identity.uid() + tail(this));
        }
    }

    /**
     * Two ports of the inviting side.
     *
     * @param host the address or name that the dialling side uses
     * @param dataPort where the inviting side receives
     * @param controlPort where the inviting side sends from, and learns who wants to receive
     */
    record Udp(String host, int dataPort, int controlPort, StreamId toInviter, StreamId toDialler, LinkShape shape)
            implements AeronAddress {
        @Override
        public Address toAddress() {
            return new Address(UDP_PREFIX + "host=" + AddressFields.encode(host) + ";data=" + dataPort + ";control="
                    + controlPort + tail(this));
        }
    }

    private static String tail(AeronAddress address) {
        return ";in=" + address.toInviter() + ";out=" + address.toDialler() + ";term="
                + address.shape().termLengthBytes() + ";mtu=" + address.shape().mtuBytes()
                + (address.shape().use() == LinkUse.DATA ? DATA : "");
    }

    /**
     * Parses an address.
     *
     * @throws TransportException (BAD_ADDRESS) if it is not an address of this transport
     */
    static AeronAddress parse(Address address) {
        String text = address.text();
        try {
            if (text.startsWith(IPC_PREFIX)) {
                return ipc(new AddressFields(text.substring(IPC_PREFIX.length())));
            }
            if (text.startsWith(UDP_PREFIX)) {
                return udp(new AddressFields(text.substring(UDP_PREFIX.length())));
            }
        } catch (IllegalArgumentException e) {
            throw new TransportException(
                    TransportException.Kind.BAD_ADDRESS,
                    "Address '" + text + "' cannot be read: " + e.getMessage()
                            + ". Expected an address from Transport.invite() of the same version of"
                            + " fiber-transport-aeron.",
                    e);
        }
        throw new TransportException(
                TransportException.Kind.BAD_ADDRESS,
                "Address '" + text + "' is not of the transport 'aeron'. Expected a text beginning with '" + IPC_PREFIX
                        + "' or '" + UDP_PREFIX + "'; both processes must use the same transport.");
    }

    private static AeronAddress ipc(AddressFields fields) {
        DirectoryIdentity identity = new DirectoryIdentity(fields.longNumber("inode"), fields.number("uid"));
        return new Ipc(fields.text("dir"), identity, fields.stream("in"), fields.stream("out"), shape(fields));
    }

    private static AeronAddress udp(AddressFields fields) {
        return new Udp(
                fields.text("host"),
                fields.port("data"),
                fields.port("control"),
                fields.stream("in"),
                fields.stream("out"),
                shape(fields));
    }

    private static LinkShape shape(AddressFields fields) {
        int termLength = TermLength.check(fields.number("term"));
        int mtu = fields.number("mtu");
        if (mtu < 1024 || mtu > LinkShape.unfragmented(termLength).mtuBytes() || mtu % 32 != 0) {
            throw new IllegalArgumentException("'mtu' is " + mtu + ", which does not fit a term of " + termLength);
        }
        return new LinkShape(termLength, mtu, use(fields));
    }

    private static LinkUse use(AddressFields fields) {
        String use = fields.textOr("use", "conversation");
        return switch (use) {
            case "conversation" -> LinkUse.CONVERSATION;
            case "data" -> LinkUse.DATA;
            default ->
                throw new IllegalArgumentException("'use' is '" + use + "', which is neither conversation nor data");
        };
    }
}
