// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import io.fiber.EndOfStreamException;
import io.fiber.FiberException;
import io.fiber.runtime.channel.DirectLink;

/** What the users of an end are told when its stream is over. */
final class Endings {

    private Endings() {}

    static EndOfStreamException ofSending(Endpoint end) {
        return new EndOfStreamException("FBR-451", "What is sent can no longer be received: " + otherOf(end) + ".");
    }

    static EndOfStreamException ofReceiving(Endpoint end) {
        return new EndOfStreamException("FBR-450", "Nothing more comes: " + otherOf(end) + ".");
    }

    /** The other end was closed after it had sent something, of which the last never arrived. */
    static FiberException ofLost(String pipe) {
        return new FiberException(
                "FBR-457",
                "The other end of " + pipe
                        + " was closed, and what it had sent last has not arrived: its process was killed or cut off."
                        + " What arrived is not complete.");
    }

    static FiberException ofMeeting(Endpoint end, String reason) {
        return new FiberException(
                "FBR-454", "The two ends of " + end.handle().describe() + " could not be linked: " + reason);
    }

    private static String otherOf(Endpoint end) {
        DirectLink link = end.link();
        String what = "the other end of " + end.handle().describe();
        // What the other end says by the link may come before what the meeting point says of it.
        boolean hasEnd = end.other() == Endpoint.Other.OPEN && end.receiver().hasEnd();
        return switch (hasEnd ? Endpoint.Other.CLOSED : end.other()) {
            case CLOSED, CLOSED_LINKED -> what + " was closed";
            case DIED -> "the process that used " + what + " has ended";
            case OPEN -> what + " is gone (" + (link == null ? "never there" : link.closeReason()) + ")";
        };
    }
}
