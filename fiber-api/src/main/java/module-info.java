// SPDX-License-Identifier: Apache-2.0
/** The API with which a program runs parts of itself as processes on a cluster. */
module io.fiber {
    requires transitive io.fiber.spi;
    requires static org.jspecify;

    exports io.fiber;
    exports io.fiber.function;

    uses io.fiber.FiberEngine;
}
