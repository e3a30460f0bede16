// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.memory;

import io.fiber.spi.CallerHost;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.TransportException;
import java.util.regex.Pattern;

/**
 * The form of an address: {@code memory:confined:<session>-<n>} or {@code memory:open:<session>-<n>}, followed by
 * {@code :data} if the link is for data.
 */
final class MemoryAddresses {

    private static final String CONFINED = "memory:confined:";
    private static final String OPEN = "memory:open:";
    private static final String DATA = ":data";
    private static final Pattern FORM = Pattern.compile("memory:(confined|open):[a-z0-9]{12}-[0-9]+(:data)?");

    private MemoryAddresses() {}

    static Address of(CallerHost.Reach reach, LinkUse use, String name) {
        return new Address(
                (reach == CallerHost.Reach.SAME_HOST ? CONFINED : OPEN) + name + (use == LinkUse.DATA ? DATA : ""));
    }

    static boolean isForData(Address address) {
        return address.text().endsWith(DATA);
    }

    static boolean isConfined(Address address) {
        return address.text().startsWith(CONFINED);
    }

    static void check(Address address) {
        if (!FORM.matcher(address.text()).matches()) {
            throw new TransportException(
                    TransportException.Kind.BAD_ADDRESS,
                    "Address '" + address.text() + "' is not one of transport 'memory'; expected '" + OPEN + "' or '"
                            + CONFINED + "', a session and a number.");
        }
    }
}
