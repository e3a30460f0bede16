// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.secure.SealException;
import io.fiber.runtime.secure.Seals;
import io.fiber.runtime.wire.Frames;
import io.fiber.runtime.wire.HeaderSeal;
import io.fiber.runtime.wire.Messages;
import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.Payload;
import io.fiber.spi.transport.LinkState;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Payloads that an attacker changed on their way to a master: the headers of their frames are what the worker sealed. */
class DamagedPayloadTest {

    private final MasterFixture master = new MasterFixture();

    @Test
    void damagedPayloadCostsWhoSentItTheLinkAndNobodyElseAnything() throws IOException {
        Seals masters = Seals.under(master.household().payloadKey(), 1, master.household()::onDamage);
        MasterFixture.Dialler worker = master.dialler();
        MasterFixture.Dialler bystander = master.dialler();
        HeaderSeal seal = worker.enter();
        bystander.enter();
        Parcel sealed = seals(worker).close(Payload.of(new byte[100]));
        byte[] bytes = sealed.payload().toArray().clone();
        bytes[50] ^= 4;
        Parcel damaged = new Parcel(Payload.of(bytes), sealed.sealer(), sealed.sealCounter());
        worker.send(new Frames().add(Messages.unready(damaged)).toFrame(seal));
        assertThat(worker.owner.parcels).hasSize(1);
        assertThat(worker.end.state()).isEqualTo(LinkState.CONNECTED);
        assertThatThrownBy(() -> masters.open(worker.owner.parcels.get(0))).isInstanceOf(SealException.class);
        master.conductor().doWork();
        assertThat(worker.end.state()).isEqualTo(LinkState.CLOSED);
        assertThat(bystander.end.state()).isEqualTo(LinkState.CONNECTED);
        assertThat(master.household().refusals()).isEqualTo(1);
        assertThatThrownBy(() -> masters.open(worker.owner.parcels.get(0))).isInstanceOf(SealException.class);
        master.conductor().doWork();
        assertThat(master.household().refusals()).isEqualTo(1);
        master.assertThatAnotherWorkerStillGetsIn();
    }

    private Seals seals(MasterFixture.Dialler worker) {
        int number = Math.toIntExact(worker.bootstrap.jobNumber() + 1);
        return Seals.under(master.household().payloadKey(), number, (sealer, what) -> {});
    }

    @Test
    void payloadUnderTheNumberOfAnotherProcessIsRefused() throws IOException {
        MasterFixture.Dialler worker = master.dialler();
        MasterFixture.Dialler other = master.dialler();
        HeaderSeal seal = worker.enter();
        Parcel ofOther = seals(other).close(Payload.of(new byte[100]));
        worker.send(new Frames().add(Messages.unready(ofOther)).toFrame(seal));
        worker.assertRefused(0);
        master.assertThatAnotherWorkerStillGetsIn();
    }
}
