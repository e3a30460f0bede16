// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.secure.Seals;
import io.fiber.runtime.service.Request;
import io.fiber.runtime.service.ServiceCall;
import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.Payload;
import io.fiber.runtime.wire.ProcessPath;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What each end of a pipe is told, in every order of events. */
class PipeMeetingTest {

    private static final ProcessPath ONE = ProcessPath.of(1);
    private static final ProcessPath TWO = ProcessPath.of(2);

    private boolean withdrawn;
    private final PipeMeeting meeting = new PipeMeeting(Seals.none(), () -> withdrawn = true);

    private static Parcel parcel(String text) {
        return Parcel.open(Payload.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** A call, and what it was answered. */
    private final class Call implements ServiceCall {
        private final ProcessPath caller;
        private final Request request;
        private long answer;
        private String body = "";

        Call(ProcessPath caller, int operation, int side, Parcel parcel) {
            this.caller = caller;
            this.request = new Request(operation, side, parcel);
            meeting.onCall(this);
        }

        Call(ProcessPath caller, int operation, int side) {
            this(caller, operation, side, Parcel.none());
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
        public void answer(long argument, Parcel result) {
            assertThat(answer).as("answer before").isZero();
            answer = argument;
            body = new String(result.payload().toArray(), StandardCharsets.UTF_8);
        }

        @Override
        public void fail(Parcel encodedFailure) {
            throw new AssertionError("a meeting fails nobody");
        }

        @Override
        public boolean isAbandoned() {
            return false;
        }

        @Override
        public void onAbandoned(Runnable then) {}
    }

    private Call linked() {
        assertThat(new Call(ONE, PipeMeeting.ATTACH, 0).answer).isEqualTo(PipeMeeting.INVITE);
        Call watch = new Call(ONE, PipeMeeting.OFFER, 0, parcel("ticket"));
        Call second = new Call(TWO, PipeMeeting.ATTACH, 1);
        assertThat(second.answer).isEqualTo(PipeMeeting.DIAL);
        assertThat(second.body).isEqualTo("ticket");
        return watch;
    }

    private void tell(ProcessPath from, int operation, int side, String body) {
        meeting.onTell(from, new Request(operation, side, body.isEmpty() ? Parcel.none() : parcel(body)));
    }

    @Test
    void firstInvitesAndSecondDials() {
        Call watchOfOne = linked();
        Call watchOfTwo = new Call(TWO, PipeMeeting.JOIN, 1);
        assertThat(watchOfOne.answer).isZero();
        tell(ONE, PipeMeeting.CLOSE_LINKED, 0, "");
        assertThat(watchOfTwo.answer).isEqualTo(PipeMeeting.CLOSED_LINKED);
        assertThat(withdrawn).isFalse();
        tell(TWO, PipeMeeting.CLOSE_LINKED, 1, "");
        assertThat(watchOfOne.answer).isZero();
        assertThat(withdrawn).isTrue();
    }

    @Test
    void secondWaitsWhileFirstInvites() {
        assertThat(new Call(ONE, PipeMeeting.ATTACH, 1).answer).isEqualTo(PipeMeeting.INVITE);
        Call second = new Call(TWO, PipeMeeting.ATTACH, 0);
        assertThat(second.answer).isZero();
        new Call(ONE, PipeMeeting.OFFER, 1, parcel("ticket"));
        assertThat(second.answer).isEqualTo(PipeMeeting.DIAL);
    }

    @Test
    void bothSidesOfOneProcessMeet() {
        new Call(ONE, PipeMeeting.ATTACH, 0);
        new Call(ONE, PipeMeeting.OFFER, 0, parcel("ticket"));
        assertThat(new Call(ONE, PipeMeeting.ATTACH, 1).answer).isEqualTo(PipeMeeting.DIAL);
    }

    @Test
    void whatWasSentBeforeTheOtherCameIsKeptForIt() {
        new Call(ONE, PipeMeeting.ATTACH, 0);
        tell(ONE, PipeMeeting.CLOSE, 0, "left");
        Call second = new Call(TWO, PipeMeeting.ATTACH, 1);
        assertThat(second.answer).isEqualTo(PipeMeeting.CLOSED);
        assertThat(second.body).isEqualTo("left");
    }

    @Test
    void endThatIsClosedUnusedEndsTheOther() {
        tell(TWO, PipeMeeting.CLOSE, 1, "");
        assertThat(new Call(ONE, PipeMeeting.ATTACH, 0).answer).isEqualTo(PipeMeeting.CLOSED);
    }

    @Test
    void deathOfOneIsToldToTheOtherWhereverItStands() {
        new Call(ONE, PipeMeeting.ATTACH, 0);
        Call waiting = new Call(TWO, PipeMeeting.ATTACH, 1);
        meeting.onCallerGone(ONE);
        assertThat(waiting.answer).isEqualTo(PipeMeeting.DIED);
    }

    @Test
    void deathOfAParentOfOneIsItsDeath() {
        Call watch = linked();
        new Call(TWO, PipeMeeting.JOIN, 1);
        meeting.onCallerGone(ProcessPath.of(3));
        assertThat(watch.answer).isZero();
        meeting.onCallerGone(TWO);
        assertThat(watch.answer).isEqualTo(PipeMeeting.DIED);
    }

    @Test
    void endOfAnotherProcessIsRefusedWithItsName() {
        new Call(ONE, PipeMeeting.ATTACH, 0);
        Call intruder = new Call(TWO, PipeMeeting.ATTACH, 0);
        assertThat(intruder.answer).isEqualTo(PipeMeeting.TAKEN);
        assertThat(intruder.body).endsWith("process 0.1");
        tell(TWO, PipeMeeting.CLOSE, 0, "of an intruder");
        assertThat(new Call(ONE, PipeMeeting.OFFER, 0, parcel("ticket")).answer).isZero();
        tell(ONE, PipeMeeting.CLOSE, 0, "");
        assertThat(new Call(TWO, PipeMeeting.ATTACH, 0).body).endsWith("process 0.1, which has closed it or ended");
    }

    @Test
    void failureOfOneIsToldToTheOther() {
        Call watch = linked();
        tell(TWO, PipeMeeting.FAIL, 1, "no way");
        assertThat(watch.answer).isEqualTo(PipeMeeting.FAILED);
        assertThat(watch.body).isEqualTo("no way");
    }

    @Test
    void nobodyIsToldOfWhatNobodyDid() {
        Call watch = linked();
        meeting.onTell(ONE, new Request(99, 0, Parcel.none()));
        assertThat(watch.answer).isZero();
    }
}
