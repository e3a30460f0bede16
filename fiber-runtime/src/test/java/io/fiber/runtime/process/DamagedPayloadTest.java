// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.protocol.Frames;
import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import io.fiber.spi.transport.LinkState;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Payloads that an attacker changed on their way to a master: the headers of their frames are what the worker sealed. */
class DamagedPayloadTest {

    private final MasterFixture master = new MasterFixture();

    @Test
    void damagedPayloadCostsWhoSentItTheLinkAndNobodyElseAnything() throws IOException {
        Seals masters =
                Seals.under(master.supervisor().payloadKey(), Protocol.MASTER_NUMBER, master.supervisor()::onDamage);
        MasterFixture.Dialler worker = master.dialler();
        MasterFixture.Dialler bystander = master.dialler();
        HeaderSeal seal = worker.enter();
        bystander.enter();
        SealedPayload sealed = seals(worker).close(Payload.of(new byte[100]));
        byte[] bytes = sealed.bytes().toArray().clone();
        bytes[50] ^= 4;
        SealedPayload damaged = new SealedPayload(Payload.of(bytes), sealed.sealer(), sealed.sealCounter());
        worker.send(new Frames().add(Messages.unready(damaged)).toFrame(seal));
        assertThat(worker.owner.payloads).hasSize(1);
        assertThat(worker.end.state()).isEqualTo(LinkState.CONNECTED);
        assertThatThrownBy(() -> masters.open(worker.owner.payloads.get(0))).isInstanceOf(SealException.class);
        master.conductor().doWork();
        assertThat(worker.end.state()).isEqualTo(LinkState.CLOSED);
        assertThat(bystander.end.state()).isEqualTo(LinkState.CONNECTED);
        assertThat(master.supervisor().refusals()).isEqualTo(1);
        assertThatThrownBy(() -> masters.open(worker.owner.payloads.get(0))).isInstanceOf(SealException.class);
        master.conductor().doWork();
        assertThat(master.supervisor().refusals()).isEqualTo(1);
        master.assertThatAnotherWorkerStillGetsIn();
    }

    private Seals seals(MasterFixture.Dialler worker) {
        int number = worker.bootstrap.processAddress().number();
        return Seals.under(master.supervisor().payloadKey(), number, (sealer, what) -> {});
    }

    @Test
    void payloadUnderTheNumberOfAnotherProcessIsRefused() throws IOException {
        MasterFixture.Dialler worker = master.dialler();
        MasterFixture.Dialler other = master.dialler();
        HeaderSeal seal = worker.enter();
        SealedPayload ofOther = seals(other).close(Payload.of(new byte[100]));
        worker.send(new Frames().add(Messages.unready(ofOther)).toFrame(seal));
        worker.assertRefused(0);
        master.assertThatAnotherWorkerStillGetsIn();
    }
}
