// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.service;

import io.fiber.runtime.wire.Outgoing;
import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.ProcessPath;

/** What processes of one program send each other along the tree. */
sealed interface Mail permits Letter, GoneNotice {

    /** Returns who is to read it. */
    ProcessPath to();

    /** Returns what it carries. */
    Parcel parcel();

    /** Returns the same with another parcel. */
    Mail with(Parcel body);

    /** Returns the message that carries it over a link. */
    Outgoing message();
}
