// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.probe;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Allocates up to 2 GiB outside its heap, which {@code -Xmx} need not bound, so that the platform ends it for exceeding its
 * memory limit.
 */
public final class Glutton {

    private static final int BITE_BYTES = 16 << 20;
    private static final int BITES = 128;
    /** Pages that were never touched do not count against a limit. */
    private static final int PAGE_BYTES = 4096;

    private Glutton() {}

    /** Allocates memory, and prints how much it had if it was not stopped. */
    public static void main(String[] arguments) {
        List<ByteBuffer> meal = new ArrayList<>();
        for (int i = 0; i < BITES; i++) {
            ByteBuffer bite = ByteBuffer.allocateDirect(BITE_BYTES);
            for (int at = 0; at < BITE_BYTES; at += PAGE_BYTES) {
                bite.put(at, (byte) 1);
            }
            meal.add(bite);
        }
        System.out.println("allocated " + meal.size() * (BITE_BYTES >> 20) + " MiB");
    }
}
