// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.security.PayloadKey;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Letters that cross from one session into another, each with seals of its own. */
class SealedBordersTest {

    private final SecureRandom random = new SecureRandom();
    private final PayloadKey outerKey = PayloadKey.random(random);
    private final PayloadKey innerKey = PayloadKey.random(random);
    private final Tree tree = new Tree();
    private final Tree.Node root = tree.root(Seals.under(outerKey, 0, (sealer, what) -> {}));
    private final Tree.Node host = root.worker(1);
    private final Tree.Node border = root.worker(2, Seals.under(innerKey, 0, (sealer, what) -> {}));
    private final Tree.Node inner = border.worker(3);
    private final Tree.Node otherInner = border.worker(4);
    private final RecordingObject object = new RecordingObject();
    private final List<Reply> replies = new ArrayList<>();

    private static Payload bytes(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String opened(Tree.Node reader, SealedPayload payload) throws SealException {
        assertThat(payload.isSealed()).isTrue();
        return new String(reader.router.seals().open(payload).toArray(), StandardCharsets.UTF_8);
    }

    private void call(Tree.Node caller, ObjectAddress to, String text) {
        SealedPayload body = caller.router.seals().close(bytes(text));
        caller.router.call(to, Request.of(1, body), replies::add);
    }

    @Test
    void bodyAndAnswerAreSealedAnewAtTheBorder() throws SealException {
        ObjectAddress address = host.router.host(object);
        call(inner, address, "from inside");
        tree.settle();
        assertThat(opened(host, object.calls.get(0).request().body())).isEqualTo("from inside");
        object.calls.get(0).answer(host.router.seals().close(bytes("back")));
        tree.settle();
        assertThat(opened(inner, ((Reply.Answer) replies.get(0)).payload())).isEqualTo("back");
    }

    @Test
    void objectAtTheBorderIsCalledFromBothSides() throws SealException {
        ObjectAddress address = border.router.host(object);
        call(inner, address, "inside");
        call(host, address, "outside");
        call(root, address, "top");
        call(border, address, "itself");
        tree.settle();
        List<String> heard = new ArrayList<>();
        for (ServiceCall call : object.calls) {
            heard.add(opened(border, call.request().body()));
        }
        assertThat(heard).containsExactlyInAnyOrder("inside", "outside", "top", "itself");
    }

    @Test
    void lettersWithoutABodyDoNotOvertakeThoseThatAreSealedAnew() {
        ObjectAddress address = host.router.host(object);
        for (int i = 0; i < 100; i++) {
            if (i % 2 == 0) {
                call(inner, address, "text " + i);
            } else {
                inner.router.tell(address, Request.of(2, i));
            }
        }
        tree.settle();
        assertThat(object.heard).hasSize(100);
        for (int i = 0; i < 100; i++) {
            assertThat(object.heard.get(i)).startsWith(i % 2 == 0 ? "call 1" : "tell 2 " + i);
        }
    }

    @Test
    void callWhoseSealIsBrokenFails() {
        ObjectAddress address = host.router.host(object);
        SealedPayload forged = new SealedPayload(bytes("forged, and long enough to hold a tag"), 4, 77);
        inner.router.call(address, Request.of(1, forged), replies::add);
        tree.settle();
        assertThat(((Reply.Lost) replies.get(0)).reason().code()).isEqualTo("FBR-423");
        assertThat(object.heard).isEmpty();
    }

    @Test
    void answerWhoseSealIsBrokenFailsTheCall() {
        ObjectAddress address = host.router.host(object);
        call(inner, address, "question");
        tree.settle();
        object.calls.get(0).answer(new SealedPayload(bytes("forged, and long enough to hold a tag"), 4, 77));
        tree.settle();
        assertThat(((Reply.Lost) replies.get(0)).reason().code()).isEqualTo("FBR-423");
    }

    @Test
    void howAProcessInsideEndedIsReadOutside() {
        ObjectAddress address = inner.router.host(object);
        call(host, address, "question");
        tree.settle();
        border.lose(inner, "killed by signal 9");
        tree.settle();
        assertThat(((Reply.Lost) replies.get(0)).reason().text()).contains("killed by signal 9");
    }

    @Test
    void longTextOfAnEndIsCut() {
        ObjectAddress address = inner.router.host(object);
        call(host, address, "question");
        tree.settle();
        border.lose(inner, "ö".repeat(100_000));
        tree.settle();
        assertThat(((Reply.Lost) replies.get(0)).reason().text())
                .contains("ö".repeat(1_000) + " ...")
                .hasSizeLessThan(1_200);
    }

    @Test
    void endOfAProcessIsToldAlsoWhenTheTextIsBroken() {
        ObjectAddress address = inner.router.host(object);
        call(host, address, "question");
        tree.settle();
        SealedPayload forged = new SealedPayload(bytes("forged, and long enough to hold a tag"), 4, 77);
        border.router.onBrokenSeal(RpcMessage.gone(host.path(), inner.path(), forged));
        tree.settle();
        assertThat(((Reply.Lost) replies.get(0)).reason().text()).contains("it ended");
    }

    @Test
    void whatStaysInsideIsNotTouchedAtTheBorder() throws SealException {
        ObjectAddress address = otherInner.router.host(object);
        SealedPayload body = inner.router.seals().close(bytes("inside"));
        inner.router.call(address, Request.of(1, body), replies::add);
        tree.settle();
        SealedPayload arrived = object.calls.get(0).request().body();
        assertThat(arrived.sealCounter()).isEqualTo(body.sealCounter());
        assertThat(arrived.sealer()).isEqualTo(body.sealer());
        assertThat(opened(otherInner, arrived)).isEqualTo("inside");
    }
}
