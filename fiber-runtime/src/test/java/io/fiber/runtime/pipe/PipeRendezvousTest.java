// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.ServiceCall;
import io.fiber.runtime.security.Seals;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What each end of a pipe is told, in every order of events. */
class PipeRendezvousTest {

    private static final ProcessPath ONE = ProcessPath.of(1);
    private static final ProcessPath TWO = ProcessPath.of(2);

    private boolean withdrawn;
    private final PipeRendezvous meeting = new PipeRendezvous(Seals.none(), () -> withdrawn = true);

    private static SealedPayload payload(String text) {
        return SealedPayload.open(Payload.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** A call, and what it was answered. */
    private final class Call implements ServiceCall {
        private final ProcessPath caller;
        private final Request request;
        private long answer;
        private String body = "";

        Call(ProcessPath caller, int operation, int side, SealedPayload payload) {
            this.caller = caller;
            this.request = new Request(operation, side, payload);
            meeting.onCall(this);
        }

        Call(ProcessPath caller, int operation, int side) {
            this(caller, operation, side, SealedPayload.none());
        }

        @Override
        public ProcessPath caller() {
            return caller;
        }

        @Override
        public Request request() {
            return request;
        }

        @Override
        public void answer(long argument, SealedPayload result) {
            assertThat(answer).as("answer before").isZero();
            answer = argument;
            body = new String(result.bytes().toArray(), StandardCharsets.UTF_8);
        }

        @Override
        public void fail(SealedPayload encodedFailure) {
            throw new AssertionError("a meeting fails nobody");
        }

        @Override
        public void onAbandoned(Runnable then) {}
    }

    private Call linked() {
        assertThat(new Call(ONE, PipeRendezvous.ATTACH, 0).answer).isEqualTo(PipeRendezvous.INVITE);
        Call watch = new Call(ONE, PipeRendezvous.OFFER, 0, payload("ticket"));
        Call second = new Call(TWO, PipeRendezvous.ATTACH, 1);
        assertThat(second.answer).isEqualTo(PipeRendezvous.DIAL);
        assertThat(second.body).isEqualTo("ticket");
        return watch;
    }

    private void tell(ProcessPath from, int operation, int side, String body) {
        meeting.onTell(from, new Request(operation, side, body.isEmpty() ? SealedPayload.none() : payload(body)));
    }

    @Test
    void firstInvitesAndSecondDials() {
        Call watchOfOne = linked();
        Call watchOfTwo = new Call(TWO, PipeRendezvous.JOIN, 1);
        assertThat(watchOfOne.answer).isZero();
        tell(ONE, PipeRendezvous.CLOSE_LINKED, 0, "");
        assertThat(watchOfTwo.answer).isEqualTo(PipeRendezvous.CLOSED_LINKED);
        assertThat(withdrawn).isFalse();
        tell(TWO, PipeRendezvous.CLOSE_LINKED, 1, "");
        assertThat(watchOfOne.answer).isEqualTo(PipeRendezvous.CLOSED_LINKED);
        assertThat(withdrawn).isTrue();
    }

    @Test
    void oneThatHasClosedALinkIsToldOfTheOthersDeath() {
        Call watch = linked();
        new Call(TWO, PipeRendezvous.JOIN, 1);
        tell(ONE, PipeRendezvous.CLOSE_LINKED, 0, "");
        meeting.onCallerGone(TWO);
        assertThat(watch.answer).isEqualTo(PipeRendezvous.DIED);
    }

    @Test
    void secondWaitsWhileFirstInvites() {
        assertThat(new Call(ONE, PipeRendezvous.ATTACH, 1).answer).isEqualTo(PipeRendezvous.INVITE);
        Call second = new Call(TWO, PipeRendezvous.ATTACH, 0);
        assertThat(second.answer).isZero();
        new Call(ONE, PipeRendezvous.OFFER, 1, payload("ticket"));
        assertThat(second.answer).isEqualTo(PipeRendezvous.DIAL);
    }

    @Test
    void bothSidesOfOneProcessMeet() {
        new Call(ONE, PipeRendezvous.ATTACH, 0);
        new Call(ONE, PipeRendezvous.OFFER, 0, payload("ticket"));
        assertThat(new Call(ONE, PipeRendezvous.ATTACH, 1).answer).isEqualTo(PipeRendezvous.DIAL);
    }

    @Test
    void whatWasSentBeforeTheOtherCameIsKeptForIt() {
        new Call(ONE, PipeRendezvous.ATTACH, 0);
        tell(ONE, PipeRendezvous.CLOSE, 0, "left");
        Call second = new Call(TWO, PipeRendezvous.ATTACH, 1);
        assertThat(second.answer).isEqualTo(PipeRendezvous.CLOSED);
        assertThat(second.body).isEqualTo("left");
    }

    @Test
    void endThatIsClosedUnusedEndsTheOther() {
        tell(TWO, PipeRendezvous.CLOSE, 1, "");
        assertThat(new Call(ONE, PipeRendezvous.ATTACH, 0).answer).isEqualTo(PipeRendezvous.CLOSED);
    }

    @Test
    void deathOfOneIsToldToTheOtherWhereverItStands() {
        new Call(ONE, PipeRendezvous.ATTACH, 0);
        Call waiting = new Call(TWO, PipeRendezvous.ATTACH, 1);
        meeting.onCallerGone(ONE);
        assertThat(waiting.answer).isEqualTo(PipeRendezvous.DIED);
    }

    @Test
    void deathOfAParentOfOneIsItsDeath() {
        Call watch = linked();
        new Call(TWO, PipeRendezvous.JOIN, 1);
        meeting.onCallerGone(ProcessPath.of(3));
        assertThat(watch.answer).isZero();
        meeting.onCallerGone(TWO);
        assertThat(watch.answer).isEqualTo(PipeRendezvous.DIED);
    }

    @Test
    void endOfAnotherProcessIsRefusedWithItsName() {
        new Call(ONE, PipeRendezvous.ATTACH, 0);
        Call intruder = new Call(TWO, PipeRendezvous.ATTACH, 0);
        assertThat(intruder.answer).isEqualTo(PipeRendezvous.TAKEN);
        assertThat(intruder.body).endsWith("process 0.1");
        tell(TWO, PipeRendezvous.CLOSE, 0, "of an intruder");
        assertThat(new Call(ONE, PipeRendezvous.OFFER, 0, payload("ticket")).answer)
                .isZero();
        tell(ONE, PipeRendezvous.CLOSE, 0, "");
        assertThat(new Call(TWO, PipeRendezvous.ATTACH, 0).body).endsWith("process 0.1, which has closed it or ended");
    }

    @Test
    void failureOfOneIsToldToTheOther() {
        Call watch = linked();
        tell(TWO, PipeRendezvous.FAIL, 1, "no way");
        assertThat(watch.answer).isEqualTo(PipeRendezvous.FAILED);
        assertThat(watch.body).isEqualTo("no way");
    }

    @Test
    void nobodyIsToldOfWhatNobodyDid() {
        Call watch = linked();
        meeting.onTell(ONE, new Request(99, 0, SealedPayload.none()));
        assertThat(watch.answer).isZero();
    }
}
