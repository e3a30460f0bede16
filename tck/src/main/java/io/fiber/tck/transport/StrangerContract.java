// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportException;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.clause.ClauseFailure;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Clauses TRN-115, TRN-116 and TRN-312: programs that were not invited, and connections that are reset. */
abstract class StrangerContract extends TransportContract {

    /** A part in which all of this many addresses agree does not identify an invitation. */
    private static final int SAMPLES = 12;

    private static final Pattern FIELD = Pattern.compile("[0-9A-Za-z]+");
    private static final int DIALS_AT_ONCE = 8;
    private static final int STRANGERS = 30;

    @Clause(
            id = "TRN-115",
            says = "an address that differs from that of an invitation in one digit reaches no peer",
            check = "that all of the address counts: no part of what identifies the invitation is cut off, masked or"
                    + " compared by a hash of it.")
    void eachDigitOfAnAddressCounts() {
        Transport inviter = open(fixture().callerHost(), 2 * SAMPLES);
        Transport stranger = open();
        Transport dialler = open();
        List<Link> samples = Stream.generate(inviter::invite).limit(SAMPLES).toList();
        List<Address> over = new ArrayList<>(samples.stream().map(Link::address).toList());
        samples.forEach(Link::close);
        cycle();
        int tried = 0;
        for (boolean goesOn = true; goesOn; ) {
            Link invited = inviter.invite();
            String text = invited.address().text();
            List<Integer> all = places(text, over);
            assertThat(all).as("places at which addresses differ").isNotEmpty();
            List<Integer> places = all.stream().skip(tried).limit(DIALS_AT_ONCE).toList();
            Map<Link, String> wrong = dialWrongly(stranger, text, places, over);
            // Another peer takes as long as one of these would.
            Pair pair = connect(inviter, dialler);
            checkLinkWorks("TRN-115", pair.invited(), pair.dialled());
            failIfReached(text, wrong);
            wrong.keySet().forEach(Link::close);
            pair.dialled().close();
            pair.invited().close();
            invited.close();
            over.add(pair.invited().address());
            over.add(invited.address());
            cycle();
            tried += DIALS_AT_ONCE;
            goesOn = tried < all.size();
        }
    }

    /** Returns the places of numbers and words that are not the same in each address. */
    private static List<Integer> places(String text, List<Address> over) {
        List<MatchResult> fields = fields(text);
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            int number = i;
            MatchResult field = fields.get(i);
            boolean differs = over.stream()
                    .map(address -> fields(address.text()))
                    .anyMatch(others -> others.size() == fields.size()
                            && !others.get(number).group().equals(field.group()));
            for (int at = field.start(); differs && at < field.end(); at++) {
                places.add(at);
            }
        }
        return places;
    }

    private static List<MatchResult> fields(String text) {
        return FIELD.matcher(text).results().toList();
    }

    private static Map<Link, String> dialWrongly(
            Transport stranger, String text, List<Integer> places, List<Address> over) {
        Map<Link, String> links = new LinkedHashMap<>();
        for (int place : places) {
            Address changed =
                    new Address(text.substring(0, place) + neighbour(text.charAt(place)) + text.substring(place + 1));
            try {
                if (!over.contains(changed)) {
                    links.put(stranger.dial(changed), changed.text());
                }
            } catch (TransportException e) {
                assertThat(e.getMessage()).as("text of the refusal").isNotBlank();
            }
        }
        return links;
    }

    private static char neighbour(char digit) {
        return (char) ("9fFzZ~".indexOf(digit) < 0 ? digit + 1 : digit - 1);
    }

    private static void failIfReached(String text, Map<Link, String> wrong) {
        wrong.forEach((link, changed) -> {
            if (isConnected(link)) {
                throw new ClauseFailure(
                        "TRN-115", "the invitation '" + text + "' was reached by dialling '" + changed + "'.");
            }
        });
    }

    @Clause(
            id = "TRN-116",
            says = "strangers that connect and say nothing, or anything, keep no peer out and are disconnected in the"
                    + " end",
            check = "that a connection has a limited time to name its invitation, that none is read until it is"
                    + " complete, and that its place is given back.")
    void strangersKeepNoPeerOut() throws IOException {
        Transport inviter = open(fixture().callerHost(), 2);
        Pair first = connect(inviter, open());
        Link invited = inviter.invite();
        Optional<SocketAddress> door = fixture().listensAt(invited.address());
        assume(door.isPresent(), "the fixture names nothing to which a stranger could connect");
        try (Strangers strangers = new Strangers(door.get(), this::cycle)) {
            for (int i = 0; i < STRANGERS; i++) {
                strangers.connect();
                strangers.connect(1 + i * i);
                cycle();
            }
            Transport dialler = open();
            Link dialled = dialler.dial(invited.address());
            await(
                    "TRN-116",
                    "a peer did not get in while " + strangers.connected() + " strangers were connected",
                    fixture().connectLimit(),
                    () -> isConnected(invited) && isConnected(dialled));
            checkLinkWorks("TRN-116", invited, dialled);
            checkLinkWorks("TRN-116", first.dialled(), first.invited());
            await(
                    "TRN-116",
                    () -> strangers.connected() + " of " + 2 * STRANGERS + " strangers are still connected after "
                            + fixture().lossNoticeLimit(),
                    fixture().lossNoticeLimit(),
                    () -> 2L * STRANGERS - strangers.connected(),
                    2L * STRANGERS);
            checkLinkWorks("TRN-116", invited, dialled);
        }
    }

    @Clause(
            id = "TRN-312",
            says = "doWork throws nothing, and no transport fails, when a connection is reset; only its link ends",
            check =
                    "that an exception of the system about one connection closes that connection, whatever it was doing.")
    void resetEndsOnlyItsLink() throws IOException {
        Transport inviter = open(fixture().callerHost(), SAMPLES);
        Pair other = connect(inviter, open());
        resetBeforeAnAnswer(inviter);
        resetWithUnreadFrames(inviter);
        resetBySomethingElse(inviter);
        Transport gone = open();
        Link abandoned = open().dial(gone.invite().address());
        close(gone);
        driveFor(fixture().connectLimit().dividedBy(100));
        assertThat(isConnected(abandoned))
                .as("whether a link to an inviter that is gone is connected")
                .isFalse();
        checkLinkWorks("TRN-312", other.invited(), other.dialled());
        checkLinkWorks("TRN-312", other.dialled(), other.invited());
        assertThat(failures()).as("what listeners were told by onFailed").isEmpty();
    }

    private void close(Transport transport) {
        transport.close();
        forget(transport);
    }

    private void resetBeforeAnAnswer(Transport inviter) {
        for (int cycles = 0; cycles < 4; cycles++) {
            Link invited = inviter.invite();
            Transport dialler = open();
            dialler.dial(invited.address());
            for (int i = 0; i < cycles; i++) {
                dialler.doWork();
            }
            close(dialler);
            cycle();
            invited.close();
            cycle();
        }
    }

    private void resetWithUnreadFrames(Transport inviter) {
        Pair pair = connect(inviter, open());
        for (int i = 0; i < STRANGERS; i++) {
            pair.invited().offer(FrameSource.allocate(500));
            pair.dialled().offer(FrameSource.allocate(500));
        }
        close(pair.dialler());
        await("TRN-304", "the link whose peer is gone did not close", fixture().closeNoticeLimit(), () -> {
            pair.invited().offer(FrameSource.allocate(500));
            pair.invited().poll(IGNORE, STRANGERS);
            return isClosed(pair.invited());
        });
    }

    private void resetBySomethingElse(Transport inviter) throws IOException {
        Link invited = inviter.invite();
        Optional<SocketAddress> door = fixture().listensAt(invited.address());
        if (door.isPresent()) {
            try (Strangers strangers = new Strangers(door.get(), this::cycle)) {
                for (int i = 0; i < STRANGERS; i++) {
                    SocketChannel stranger = i % 2 == 0 ? strangers.connect() : strangers.connect(i);
                    for (int cycles = 0; cycles < i % 5; cycles++) {
                        cycle();
                    }
                    Strangers.reset(stranger);
                    cycle();
                }
            }
        }
        connectTo(inviter, invited);
    }

    private void connectTo(Transport inviter, Link invited) {
        Transport dialler = open();
        Pair pair = awaitConnected(new Pair(inviter, dialler, invited, dialler.dial(invited.address())));
        checkLinkWorks("TRN-312", pair.invited(), pair.dialled());
    }
}
