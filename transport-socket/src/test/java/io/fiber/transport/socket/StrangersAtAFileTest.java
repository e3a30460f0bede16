// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

/** The same strangers at a socket file: processes of this user, for others do not reach it. */
final class StrangersAtAFileTest extends StrangersTest {

    @Override
    Fixture reachedBy(Fixture made) {
        return made;
    }
}
