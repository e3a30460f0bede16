// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fiber.FiberException;
import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.platform.ProcessUsage;
import io.fiber.runtime.platform.ProcessUsageTest;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.security.Seals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Calls between processes that stand in one tree. */
class RpcRouterTest {

    private final Tree tree = new Tree();
    private final Tree.Node root = tree.root(Seals.none());
    private final Tree.Node one = root.worker(1);
    private final Tree.Node two = root.worker(2);
    private final Tree.Node deep = two.worker(5);
    private final RecordingObject object = new RecordingObject();
    private final ObjectAddress atOne = one.router.host(object);
    private final List<Reply> replies = new ArrayList<>();

    private Runnable call(Tree.Node caller, ObjectAddress to, long argument) {
        return caller.router.call(to, new Request(7, argument, RecordingObject.text("body " + argument)), replies::add);
    }

    private Runnable callAndSettle(Tree.Node caller, ObjectAddress to, long argument) {
        Runnable pending = call(caller, to, argument);
        tree.settle();
        return pending;
    }

    private Reply.Reason lost() {
        assertThat(replies).hasSize(1);
        return ((Reply.Lost) replies.get(0)).reason();
    }

    @Test
    void callReachesAnObjectAnywhereInTheTreeAndItsAnswerTheCaller() {
        object.echoes = true;
        for (Tree.Node host : List.of(root, one, deep)) {
            ObjectAddress address = host.router.host(object);
            for (Tree.Node caller : List.of(root, one, two, deep)) {
                replies.clear();
                call(caller, address, 3);
                tree.settle();
                assertThat(object.heard).last().isEqualTo("call 7 3 from " + caller.path());
                Reply.Answer answer = (Reply.Answer) replies.get(0);
                assertThat(answer.argument()).isEqualTo(3);
                assertThat(RecordingObject.text(answer.payload())).isEqualTo("body 3");
            }
        }
    }

    @Test
    void everyProcessSaysWhatItUses() {
        List<Optional<ProcessUsage>> told = new ArrayList<>();
        UsageService.ask(root.router, deep.router.processAddress(), told::add);
        tree.settle();
        assumeTrue(ProcessUsageTest.isKnown(), "an emulator reports no usage");
        ProcessUsage usage = told.get(0).orElseThrow();
        assertThat(usage.memoryBytes()).isGreaterThan(10 << 20);
        assertThat(usage.cpuTimeNs()).isGreaterThan(100_000_000);
    }

    @Test
    void callsAndTellsArriveInTheirOrder() {
        for (int i = 0; i < 200; i++) {
            if (i % 3 == 0) {
                deep.router.tell(atOne, Request.of(1, i));
            } else {
                call(deep, atOne, i);
            }
        }
        tree.settle();
        assertThat(object.heard).hasSize(200);
        for (int i = 0; i < 200; i++) {
            assertThat(object.heard.get(i))
                    .isEqualTo((i % 3 == 0 ? "tell 1 " : "call 7 ") + i + " from " + deep.path());
        }
    }

    @Test
    void callIsAnsweredLater() {
        callAndSettle(two, atOne, 1);
        assertThat(replies).isEmpty();
        object.calls.get(0).fail(RecordingObject.text("no"));
        tree.settle();
        assertThat(RecordingObject.text(((Reply.Failure) replies.get(0)).failure()))
                .isEqualTo("no");
        assertThatThrownBy(() -> object.calls.get(0).answer(SealedPayload.none()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has already been answered");
    }

    @Test
    void abandonedCallEndsAndItsHostIsTold() {
        Runnable pending = callAndSettle(two, atOne, 1);
        List<String> told = new ArrayList<>();
        object.calls.get(0).onAbandoned(() -> told.add("abandoned"));
        pending.run();
        tree.settle();
        assertThat(replies).containsExactly(new Reply.Abandoned());
        assertThat(told).containsExactly("abandoned");
        object.calls.get(0).onAbandoned(() -> told.add("at once"));
        assertThat(told).containsExactly("abandoned", "at once");
        object.calls.get(0).answer(SealedPayload.none());
        tree.settle();
        assertThat(replies).hasSize(1);
    }

    @Test
    void answerThatWasUnderWayIsNotLostToAnAbandon() {
        Runnable pending = callAndSettle(two, atOne, 1);
        object.calls.get(0).answer(9, SealedPayload.none());
        pending.run();
        tree.settle();
        assertThat(replies).containsExactly(new Reply.Answer(9, SealedPayload.none()));
    }

    @Test
    void processThatHasEndedIsForgottenByRoutersAboveItsMaster() {
        callAndSettle(one, deep.router.host(object), 1);
        two.lose(deep, "it was killed");
        tree.settle();
        RecordingObject later = new RecordingObject();
        two.worker(5).router.host(later);
        root.lose(one, "it was killed");
        tree.settle();
        assertThat(later.heard).isEmpty();
    }

    @Test
    void callOfAHostThatEndsFailsAndSaysHow() {
        ObjectAddress address = deep.router.host(object);
        callAndSettle(one, address, 1);
        root.lose(two, "'Process-2' has ended: killed by signal 9");
        tree.settle();
        assertThat(lost().code()).isEqualTo("FBR-400");
        assertThat(lost().text())
                .isEqualTo("The process 0.2 has ended, and with it the object 0.2.5/1000 that was called: 'Process-2'"
                        + " has ended: killed by signal 9. Objects end with their process. Create this one in a"
                        + " process that lives longer.");
    }

    @Test
    void callOfAHostThatHasEndedFailsAndSaysHow() {
        ObjectAddress address = two.router.host(object);
        root.lose(two, "exit code 3");
        callAndSettle(one, address, 1);
        assertThat(lost().toException()).hasMessageStartingWith("FBR-400 ").hasMessageContaining("exit code 3");
    }

    @Test
    void hostIsToldOfTheEndOfACaller() {
        callAndSettle(deep, atOne, 1);
        List<String> told = new ArrayList<>();
        object.calls.get(0).onAbandoned(() -> told.add("abandoned"));
        two.lose(deep, "gone");
        tree.settle();
        assertThat(told).containsExactly("abandoned");
        assertThat(object.heard).containsExactly("call 7 1 from 0.2.5", "gone 0.2.5");
    }

    @Test
    void processThatNeverSpokeWithOneIsNotToldOfItsEnd() {
        root.lose(two, "gone");
        tree.settle();
        assertThat(object.heard).isEmpty();
    }

    @Test
    void withdrawnObjectFailsItsCalls() {
        callAndSettle(two, atOne, 1);
        one.router.withdraw(atOne);
        tree.settle();
        assertThat(lost().code()).isEqualTo("FBR-421");
        replies.clear();
        callAndSettle(two, atOne, 2);
        assertThat(object.heard).hasSize(1);
        assertThat(lost().text())
                .isEqualTo("The object 1000 of the process 0.1 no longer exists: it was closed there.");
    }

    @Test
    void callsOfAProcessWhoseConductorDiedFailWithItsCause() {
        callAndSettle(two, atOne, 1);
        OutOfMemoryError fault = new OutOfMemoryError("Java heap space");
        two.conductor.onFault(fault);
        assertThat(lost().toException())
                .hasMessageStartingWith("FBR-404 The I/O thread of this process has stopped, because of "
                        + "java.lang.OutOfMemoryError: Java heap space.")
                .hasCause(fault);
        replies.clear();
        call(two, atOne, 2);
        assertThat(lost().toException()).hasMessageStartingWith("FBR-404").hasCause(fault);
    }

    @Test
    void callerThatCannotBeToldOfTheEndKeepsNoOtherFromBeingTold() {
        List<String> tries = new ArrayList<>();
        two.router.call(atOne, Request.of(7, 1), reply -> {
            tries.add("lacks its class");
            throw new NoClassDefFoundError("Could not initialize class com.acme.Missing");
        });
        two.router.call(atOne, Request.of(7, 2), reply -> {
            tries.add("short of memory");
            if (tries.size() < 3) {
                throw new OutOfMemoryError("Java heap space");
            }
        });
        callAndSettle(two, atOne, 3);
        two.conductor.onFault(new OutOfMemoryError("Java heap space"));
        assertThat(tries).filteredOn("short of memory"::equals).hasSize(2);
        assertThat(lost().code()).isEqualTo("FBR-404");
    }

    @Test
    void callWhoseBodyFoundNoRoomFailsAndItsObjectDoesNotSeeIt() {
        SealedPayload refused = new SealedPayload(Payload.refused(900_000_000), 0, 0);
        one.router.call(atOne, Request.of(7, refused), replies::add);
        tree.settle();
        assertThat(object.heard).isEmpty();
        assertThat(lost().toException())
                .hasMessageStartingWith(
                        "FBR-208 A message of 900000000 bytes does not fit into the heap of the process that received");
    }

    @Test
    void answerThatFoundNoRoomOnItsWayFailsTheCall() {
        callAndSettle(two, atOne, 1);
        object.calls.get(0).answer(new SealedPayload(Payload.refused(5_000), 0, 0));
        tree.settle();
        assertThat(lost().toException())
                .hasMessageStartingWith(
                        "FBR-208 A message of 5000 bytes does not fit into the heap of the process that received it, on"
                                + " its way between this process and the object 1000 of the process 0.1.");
    }

    @Test
    void objectThatThrowsAnErrorFailsTheCallAndNothingElse() {
        ObjectAddress address = one.router.host(new Hosted() {
            @Override
            public void onCall(ServiceCall call) {
                throw new NoSuchMethodError("com.acme.Missing.call()");
            }
        });
        callAndSettle(two, address, 1);
        assertThat(lost().code()).isEqualTo("FBR-423");
    }

    @Test
    void objectThatFailsByAFaultFailsTheCall() {
        ObjectAddress address = one.router.host(new Hosted() {
            @Override
            public void onCall(ServiceCall call) {
                throw new IllegalStateException("a fault of this test");
            }
        });
        callAndSettle(two, address, 1);
        assertThat(lost().code()).isEqualTo("FBR-423");
    }

    @Test
    void addressOfAnotherProgramIsRefused() {
        ObjectAddress foreign = new ObjectAddress("another", ProcessPath.root(), 1000);
        assertThatThrownBy(() -> call(one, foreign, 1))
                .isInstanceOf(FiberException.class)
                .hasMessage("FBR-422 The object 0/1000 belongs to the program of session another, but this process"
                        + " belongs to that of session abcdefghijkl. A handle works only in the program that created"
                        + " it.");
    }

    @Test
    void waitThatMustNotMissItsReplyGoesOnWhenInterruptedAndTheInterruptStays() {
        AtomicInteger cycles = new AtomicInteger();
        one.conductor.addDuty(new Duty() {
            @Override
            public int doWork(long nowNs) {
                switch (object.calls.isEmpty() ? 0 : cycles.incrementAndGet()) {
                    case 1 -> Thread.currentThread().interrupt();
                    case 5 -> object.calls.get(0).answer(8, RecordingObject.text("a class"));
                    default -> {}
                }
                return 0;
            }

            @Override
            public boolean isUrgent() {
                return true;
            }
        });
        Reply reply = one.router.awaitUninterruptibly(atOne, Request.of(7, 1));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(reply).isInstanceOfSatisfying(Reply.Answer.class, answer -> {
            assertThat(answer.argument()).isEqualTo(8);
            assertThat(RecordingObject.text(answer.payload())).isEqualTo("a class");
        });
        assertThat(object.heard).containsExactly("call 7 1 from 0.1");
    }

    @Test
    void objectOfTheMasterIsAddressedByItsNumber() {
        assertThat(deep.router.atMaster(1_005)).isEqualTo(new ObjectAddress(Tree.PROGRAM, two.path(), 1_005));
        assertThat(two.router.atMaster(1_005)).isEqualTo(new ObjectAddress(Tree.PROGRAM, root.path(), 1_005));
    }

    @Test
    void openCallsFailWhenTheProcessCloses() {
        callAndSettle(root, atOne, 1);
        root.router.onClose();
        assertThat(lost().code()).isEqualTo("FBR-302");
    }

    @Test
    void pathsAreComparedByTheirNumbers() {
        assertThat(deep.path()).hasToString("0.2.5").isEqualTo(ProcessPath.of(2, 5));
        assertThat(deep.path().isUnder(two.path())).isTrue();
        assertThat(deep.path().isUnder(deep.path())).isTrue();
        assertThat(two.path().isUnder(deep.path())).isFalse();
        assertThatThrownBy(() -> ProcessPath.of(1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
