// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import java.util.Set;

/** A bug of a transport, and the clauses that must find it. */
enum TransportBug {
    NONE(),
    ANOTHER_NAME("TRN-001"),
    CREATE_MAKES_FILE("TRN-100", "TRN-606"),
    CONNECTED_AT_ONCE("TRN-101", "TRN-102", "TRN-104", "TRN-110", "TRN-112", "TRN-301", "TRN-302", "TRN-303"),
    OFFERS_ACCEPTED_EARLY("TRN-102", "TRN-104", "TRN-110"),
    NO_ROOM_IS_UNCHECKED("TRN-106"),
    BAD_ADDRESS_IS_UNCHECKED("TRN-111"),
    DIALLER_CANNOT_INVITE("TRN-107"),
    OWN_ADDRESS_REFUSED("TRN-108"),
    DATA_IN_SHORT_FRAMES("TRN-109"),
    LISTENS_WITHOUT_ADDRESS("TRN-114"),
    ONE_THREAD_ONLY("TRN-210"),
    UNREAD_DATA_LOST("TRN-308"),
    SWAPS_FRAMES("TRN-201", "TRN-202", "TRN-210", "TRN-302"),
    LOSES_FRAMES("TRN-202"),
    DUPLICATES_FRAMES("TRN-202"),
    LENGTH_UNCHECKED("TRN-204"),
    MOVES_POSITION("TRN-205", "TRN-206", "TRN-209", "TRN-502", "TRN-604"),
    POLL_IGNORES_LIMIT("TRN-206"),
    POLL_COUNTS_NOTHING("TRN-102", "TRN-202", "TRN-207", "TRN-305", "TRN-603"),
    SHORT_FRAMES("TRN-204", "TRN-208"),
    BUFFER_FOR_EACH_FRAME("TRN-209", "TRN-502"),
    DROPS_WHEN_FULL("TRN-301"),
    CLOSE_UNNOTICED("TRN-304", "TRN-305", "TRN-308", "TRN-603", "TRN-605"),
    NO_CLOSE_REASON("TRN-304", "TRN-305", "TRN-307", "TRN-603", "TRN-605"),
    ALWAYS_CONFINED("TRN-401"),
    CONFINED_WHEN_CONNECTED("TRN-401", "TRN-402"),
    BINDS_EVERY_ADDRESS("TRN-404"),
    COUNTERS_SHRINK("TRN-403"),
    IDLE_ALLOCATES("TRN-501", "TRN-502"),
    NEVER_IDLE("TRN-503"),
    TELLS_NOTHING("TRN-701", "TRN-702", "TRN-703", "TRN-704"),
    TELLS_WITHOUT_END("TRN-705"),
    NEEDS_ITS_SELECTOR("TRN-701", "TRN-702", "TRN-703", "TRN-704", "TRN-706"),
    REGISTERS_AND_CANNOT_TELL("TRN-701"),
    LEAKS_THREAD("TRN-601"),
    SECOND_CLOSE_THROWS("TRN-601", "TRN-602", "TRN-606"),
    CRASH_AFTER_CLOSE("TRN-603"),
    SLOW_CLOSE("TRN-604"),
    LEAVES_FILE("TRN-606");

    @SuppressWarnings("ImmutableEnumChecker") // Set.of cannot be changed.
    private final Set<String> clauses;

    TransportBug(String... clauses) {
        this.clauses = Set.of(clauses);
    }

    Set<String> clauses() {
        return clauses;
    }
}
