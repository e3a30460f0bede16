// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.CallerHost;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportException;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.clause.ClauseFailure;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Clauses TRN-4xx: what a transport reports about itself. */
abstract class ConfinementContract extends TransportContract {

    @Clause(
            id = "TRN-401",
            says = "a link to peers that are reached over the network is not confined",
            check = "that isConfined is true only for memory proven to be shared with the same user on this host.")
    void networkIsNotConfined() {
        CallerHost loopback = fixture().callerHost();
        Pair pair = connect(new CallerHost(loopback.bind(), loopback.advertised(), CallerHost.Reach.NETWORK));
        assertThat(pair.invited().isConfined()).as("confined, at the inviter").isFalse();
        assertThat(pair.dialled().isConfined()).as("confined, at the dialler").isFalse();
    }

    @Clause(
            id = "TRN-402",
            says = "isConfined does not change during the life of a link",
            check = "that it is decided when the link is made, not when the peer arrives.")
    void confinementIsConstant() {
        Transport inviter = open();
        Transport dialler = open();
        Link invited = inviter.invite();
        boolean invitedBefore = invited.isConfined();
        Link dialled = dialler.dial(invited.address());
        boolean dialledBefore = dialled.isConfined();
        awaitConnected(new Pair(inviter, dialler, invited, dialled));
        assertThat(invited.isConfined()).isEqualTo(invitedBefore);
        assertThat(dialled.isConfined()).isEqualTo(dialledBefore);
        dialled.close();
        assertThat(dialled.isConfined()).as("after close").isEqualTo(dialledBefore);
    }

    @Clause(
            id = "TRN-403",
            says = "any thread can read counters, and each only grows",
            check = "that counters() touches no state of the conductor, and that a closed link keeps its counts.")
    void countersOnlyGrow() throws Exception {
        Pair pair = connect();
        Map<String, Long> before = countersByAnotherThread(pair.inviter());
        checkLinkWorks("TRN-403", pair.invited(), pair.dialled());
        checkLinkWorks("TRN-403", pair.dialled(), pair.invited());
        Map<String, Long> meanwhile = countersByAnotherThread(pair.inviter());
        pair.dialled().close();
        await("TRN-304", "the close was not noticed", fixture().closeNoticeLimit(), () -> isClosed(pair.invited()));
        Map<String, Long> after = countersByAnotherThread(pair.inviter());
        assertThatNoneIsSmaller(before, meanwhile);
        assertThatNoneIsSmaller(meanwhile, after);
    }

    private static void assertThatNoneIsSmaller(Map<String, Long> before, Map<String, Long> after) {
        before.forEach((name, value) -> assertThat(after)
                .hasEntrySatisfying(name, later -> assertThat(later).isGreaterThanOrEqualTo(value)));
    }

    private static Map<String, Long> countersByAnotherThread(Transport transport) throws Exception {
        return CompletableFuture.supplyAsync(() -> Map.copyOf(transport.counters()))
                .get(10, TimeUnit.SECONDS);
    }

    @Clause(
            id = "TRN-404",
            says = "a transport binds to the address that it was given, not to all addresses of the host",
            check =
                    "the addresses of sockets that listen and of datagram sockets, including those of a process that invites"
                            + " after it has dialled: a session on the loopback address is not for other hosts.")
    void onlyTheGivenAddressIsBound() {
        Optional<Map<String, String>> before = OpenSockets.atAnyAddress();
        assume(before.isPresent(), "this system does not show the sockets of a process");
        CallerHost loopback = CallerHost.sameHost();
        CallerHost near = new CallerHost(loopback.bind(), loopback.advertised(), CallerHost.Reach.NETWORK);
        Transport inviter = open(near, 2);
        Transport first = connect(inviter, open(near, 1)).dialler();
        Transport second = connect(inviter, open(near, 1)).dialler();
        try {
            connect(first, second);
        } catch (TransportException e) {
            throw new ClauseFailure("TRN-107", "a transport that has dialled cannot invite: " + e.getMessage(), e);
        }
        if (fixture().provider().listeningAddress(near.advertised(), 1).isPresent()) {
            open(near, 1).listen(0, link -> {});
        }
        Map<String, String> opened = new TreeMap<>(OpenSockets.atAnyAddress().orElseThrow());
        opened.keySet().removeAll(before.orElseThrow().keySet());
        assertThat(opened.values())
                .as("sockets that take what comes to any address")
                .isEmpty();
    }
}
