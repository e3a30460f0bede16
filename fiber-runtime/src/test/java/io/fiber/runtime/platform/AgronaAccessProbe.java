// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import io.fiber.FiberException;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.config.KnownKeys;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The main of the JVMs that {@link AgronaAccessTest} starts: asks for access, then uses what needs it. */
final class AgronaAccessProbe {

    private AgronaAccessProbe() {}

    public static void main(String[] arguments) {
        String open = System.getProperty("fiber.agrona.open", "");
        FiberConfig config = FiberConfig.load(
                new ConfigSources(Map.of(), Map.of("fiber.agrona.open", open), Map.of(), Path.of(".")),
                KnownKeys.of(List.of(), Set.of()));
        boolean exportedBefore =
                Object.class.getModule().isExported("jdk.internal.misc", UnsafeBuffer.class.getModule());
        try {
            AgronaAccess.ensure(config);
        } catch (FiberException e) {
            System.out.println(e.getMessage());
            return;
        }
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
        buffer.putLongVolatile(0, 42);
        new ExpandableArrayBuffer().putInt(0, 7);
        System.out.println("used " + buffer.getLong(0) + " exported before " + exportedBefore
                + ", workers need no option " + AgronaAccess.isOpenedInProcess() + " by "
                + UnsafeBuffer.class.getModule());
    }
}
