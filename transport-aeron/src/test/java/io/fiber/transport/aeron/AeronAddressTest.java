// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.spi.OptionKey;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportProvider;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AeronAddressTest {

    private static final LinkShape SHAPE = LinkShape.unfragmented(TermLength.SMALLEST);
    private static final StreamId IN = new StreamId(-1, Integer.MIN_VALUE);
    private static final StreamId OUT = new StreamId(7, 0x7fff_ffff);

    @Test
    void addressIsReadAsItWasWritten() {
        AeronAddress ipc =
                new AeronAddress.Ipc("/tmp/ä b;c%d=e", new DirectoryIdentity(Long.MAX_VALUE, 1000), IN, OUT, SHAPE);
        assertThat(AeronAddress.parse(ipc.toAddress())).isEqualTo(ipc);
        AeronAddress udp =
                new AeronAddress.Udp("fe80::1", 1, 65_535, IN, OUT, LinkShape.bounded(TermLength.SMALLEST, 1408));
        assertThat(AeronAddress.parse(udp.toAddress())).isEqualTo(udp);
        assertThat(udp.toAddress().text())
                .isEqualTo(
                        "aeron:udp;host=fe80::1;data=1;control=65535;in=ffffffff.80000000;out=7.7fffffff;term=65536;mtu=1408");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aeron:udp;",
                "aeron:udp;host",
                "aeron:udp;host=h;data=0;control=2;in=1.2;out=3.4;term=65536;mtu=1408",
                "aeron:udp;host=h;data=1;control=65536;in=1.2;out=3.4;term=65536;mtu=1408",
                "aeron:udp;host=h;data=1;control=2;in=12;out=3.4;term=65536;mtu=1408",
                "aeron:udp;host=h;data=1;control=2;in=1.2;out=3.4;term=65537;mtu=1408",
                "aeron:udp;host=h;data=1;control=2;in=1.2;out=3.4;term=65536;mtu=1409",
                "aeron:udp;host=h;data=1;control=2;in=1.2;out=3.4;term=65536;mtu=65504",
                "aeron:ipc;dir=/x;inode=x;uid=0;in=1.2;out=3.4;term=65536;mtu=1408",
                "aeron:tcp;x=y"
            })
    void senselessAddressIsRefused(String text) {
        assertThatThrownBy(() -> AeronAddress.parse(new Address(text)))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.BAD_ADDRESS))
                .hasMessageContaining("Address '" + text + "'");
    }

    @Test
    void portRangesAreReadAndOthersRefused() {
        assertThat(PortRange.parse(List.of("20000-20999", "7")))
                .hasToString("20000-20999,7-7")
                .isEqualTo(new PortRange(List.of(new PortRange.Span(20_000, 20_999), new PortRange.Span(7, 7))));
        for (String bad : List.of("0", "65536", "9-8", "x", "1-", "-1")) {
            assertThatThrownBy(() -> PortRange.parse(List.of(bad)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Option 'port-range' has the entry '" + bad + "'");
        }
    }

    @Test
    void timeOutsLieAboveTheLease() {
        TransportTimes times = TransportTimes.of(Duration.ofSeconds(20));
        assertThat(times.livenessMs()).isEqualTo(40_000);
        assertThat(Duration.ofNanos(times.unblockNs())).isEqualTo(Duration.ofSeconds(60));
        assertThat(TransportTimes.of(Duration.ofMillis(10)).livenessMs()).isEqualTo(4_000);
    }

    @Test
    void counterBuffersGrowWithThePeers() {
        assertThat(DriverDirectory.counterValuesBytes(1, DriverDirectory.COUNTERS_OF_A_PEER))
                .isEqualTo(1 << 20);
        assertThat(DriverDirectory.counterValuesBytes(1_000, DriverDirectory.COUNTERS_OF_A_PEER))
                .isEqualTo(4 << 20);
        assertThat(DriverDirectory.counterValuesBytes(1_000, DriverDirectory.COUNTERS_OF_A_NEAR_PEER))
                .isEqualTo(1 << 20);
    }

    @Test
    void providerIsFoundAndSaysWhatAWorkerNeeds() {
        TransportProvider provider = ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals("aeron"))
                .findFirst()
                .orElseThrow();
        assertThat(provider).isInstanceOf(AeronTransportProvider.class);
        assertThat(provider.jvmOptions(TransportProvider.CodePath.CLASS_PATH))
                .containsExactly("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
        assertThat(provider.jvmOptions(TransportProvider.CodePath.MODULE_PATH))
                .containsExactly("--add-exports=java.base/jdk.internal.misc=org.agrona");
        assertThat(provider.options())
                .extracting(OptionKey::name)
                .containsExactly("port-range", "term-length", "media", "data-term-length");
    }
}
