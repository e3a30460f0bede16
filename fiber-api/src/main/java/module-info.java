// SPDX-License-Identifier: Apache-2.0
/** What a program uses to run parts of itself as processes on a cluster, and the runtime behind it. */
module io.fiber {
    requires transitive io.fiber.spi;
    requires org.agrona;
    requires static org.jspecify;

    exports io.fiber;
    exports io.fiber.function;
}
