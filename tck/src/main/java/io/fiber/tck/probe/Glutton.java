// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.probe;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A program that allocates memory outside its heap until it is stopped. */
public final class Glutton {

    private static final int BITE_BYTES = 16 << 20;
    private static final int BITES = 128;

    private Glutton() {}

    /** Allocates memory, and prints how much it had if it was not stopped. */
    public static void main(String[] arguments) {
        List<ByteBuffer> meal = new ArrayList<>();
        for (int i = 0; i < BITES; i++) {
            ByteBuffer bite = ByteBuffer.allocateDirect(BITE_BYTES);
            for (int at = 0; at < BITE_BYTES; at += 4096) {
                bite.put(at, (byte) 1);
            }
            meal.add(bite);
        }
        System.out.println("had " + meal.size());
    }
}
