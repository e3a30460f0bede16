// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import java.io.DataInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/** Programs that jobs of the tests run. */
final class Probes {

    private Probes() {}

    public static void main(String[] args) throws IOException {
        switch (args[0]) {
            case "limits" -> limits();
            case "bootstrap" -> bootstrap();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void limits() {
        System.out.println(System.getProperty("java.home"));
        System.out.println(ManagementFactory.getRuntimeMXBean().getInputArguments());
    }

    private static void bootstrap() throws IOException {
        DataInputStream in = new DataInputStream(System.in);
        byte[] secret = in.readNBytes(in.readInt());
        System.out.println(System.getenv("FIBER_BOOTSTRAP") + " " + secret.length + " "
                + new String(secret, 0, 4, StandardCharsets.US_ASCII));
        System.out.println(in.available() == 0 ? "nothing more to read" : "more");
        System.exit(in.read() < 0 ? 0 : 1);
    }
}
