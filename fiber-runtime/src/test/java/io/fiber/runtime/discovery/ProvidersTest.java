// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fiber.FiberException;
import io.fiber.runtime.config.FiberConfig;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProvidersTest extends DiscoveryFixture {

    private static final String TRANSPORT = "FIBER_TRANSPORT";
    private static final String SERIALIZER = "FIBER_SERIALIZER";

    @Test
    void onlyTransportIsTaken() throws IOException {
        Providers providers = providers(new FakeJar().transport("A", "pigeon"));

        assertThat(providers
                        .selectTransport(config(providers, Map.of()))
                        .provider()
                        .name())
                .isEqualTo("pigeon");
    }

    @Test
    void noTransportOnTheClassPath() throws IOException {
        Providers providers = providers(new FakeJar());
        assertThatFault(() -> providers.selectTransport(config(providers, Map.of())))
                .withMessage("FBR-111 No transport on the class path. Add one of: fiber-transport-socket ('socket'),"
                        + " fiber-transport-aeron ('aeron').");
    }

    @Test
    void unknownTransport() throws IOException {
        Providers providers = providers(new FakeJar().transport("A", "pigeon"));
        assertThatFault(() -> providers.selectTransport(config(providers, Map.of(TRANSPORT, "aaron"))))
                .withMessage(
                        "FBR-112 Unknown transport 'aaron' (from environment variable FIBER_TRANSPORT). On the class"
                                + " path: [pigeon]. Did you mean 'aeron'? It is in fiber-transport-aeron, which is not on"
                                + " the class path, or whose META-INF/services a shaded jar has lost.");
    }

    @Test
    void severalTransportsAreAChoiceForTheUser() throws IOException {
        Providers providers = providers(new FakeJar().transport("A", "pigeon").transport("B", "socket"));
        assertThatFault(() -> providers.selectTransport(config(providers, Map.of())))
                .withMessage("FBR-113 Several transports are on the class path: [pigeon, socket]. Choose one:"
                        + " FIBER_TRANSPORT=… or Fiber.builder().transport(\"…\").");
        assertThat(providers
                        .selectTransport(config(providers, Map.of(TRANSPORT, "pigeon")))
                        .reason())
                .isEqualTo("from environment variable FIBER_TRANSPORT");
    }

    @Test
    void jarOfAeronDecidesUnlessATransportIsSet() throws IOException {
        Providers providers = providers(new FakeJar().transport("A", "socket").transport("B", "aeron"));

        assertThat(providers.selectTransport(config(providers, Map.of()))).satisfies(selected -> {
            assertThat(selected.provider().name()).isEqualTo("aeron");
            assertThat(selected.reason()).isEqualTo("preferred to the others on the class path");
        });
        assertThat(providers.selectTransport(config(providers, Map.of(TRANSPORT, "socket"))))
                .satisfies(selected -> {
                    assertThat(selected.provider().name()).isEqualTo("socket");
                    assertThat(selected.reason()).isEqualTo("from environment variable FIBER_TRANSPORT");
                });
    }

    @Test
    void noTransportByWhichProgramsConnect() throws IOException {
        Providers providers = providers(new FakeJar().transport("A", "pigeon"));

        assertThatExceptionOfType(FiberException.class)
                .isThrownBy(() -> providers.listeningTransport(Optional.of("pigeon")))
                .withMessage(
                        "FBR-449 No transport on the class path lets programs connect by host and port: [pigeon]. The"
                                + " artifact of each backend brings such a transport. Check that it was not excluded.");
    }

    @Test
    void unknownSerializer() throws IOException {
        Providers providers = providers(new FakeJar().serializer("A", "json"));
        assertThatFault(() -> providers.selectSerializer(config(providers, Map.of(SERIALIZER, "kryo"))))
                .withMessage(
                        "FBR-115 Unknown serializer 'kryo' (from environment variable FIBER_SERIALIZER). On the class"
                                + " path: [json].");
    }

    @Test
    void serializerThatIsSetIsTaken() throws IOException {
        Providers providers = providers(new FakeJar().serializer("A", "json"));

        assertThat(providers
                        .selectSerializer(config(providers, Map.of(SERIALIZER, "json")))
                        .provider()
                        .name())
                .isEqualTo("json");
    }

    @Test
    void serializerIsTheDefaultOneWhenNoneIsSet() throws IOException {
        Providers providers = providers(new FakeJar().serializer("A", "json").serializer("B", "java"));

        assertThat(providers.selectSerializer(config(providers, Map.of()))).satisfies(selected -> {
            assertThat(selected.provider().name()).isEqualTo("java");
            assertThat(selected.reason()).isEqualTo("from the default");
        });
    }

    @Test
    void defaultSerializerIsNeverReplacedByAnother() throws IOException {
        Providers providers = providers(new FakeJar().serializer("A", "json"));
        assertThatFault(() -> providers.selectSerializer(config(providers, Map.of())))
                .withMessage("FBR-115 Unknown serializer 'java' (from the default). On the class path: [json]. It is in"
                        + " fiber-runtime, which is not on the class path, or whose META-INF/services a shaded jar has"
                        + " lost.");
    }

    @Test
    void keysOfEveryProviderAreCollected() throws IOException {
        Providers providers = providers(new FakeJar()
                .backend(
                        "A",
                        "orbit",
                        USABLE,
                        "public List<OptionKey> options() { return List.of(OptionKey.of(\"queue\", OptionType.TEXT,"
                                + " \"none\", \"The queue.\")); }"));

        FiberConfig config = config(providers, Map.of("FIBER_ORBIT_QUEUE", "long", "FIBER_SLURM_PARTITION", "short"));

        assertThat(config.optionsOf(providers.backends().find("orbit").orElseThrow())
                        .text("queue"))
                .contains("long");
    }
}
