// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.classloading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.ConfigurationException;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.config.KnownKeys;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.spi.CallerHost;
import io.fiber.spi.serializer.ObjectSerializer;
import io.fiber.spi.serializer.SerializerContext;
import io.fiber.spi.serializer.SerializerProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SentClassesTest {

    private final SentClasses classes = new SentClasses();

    private int edition(Class<?> type) {
        return classes.editionOf(Map.of(type.getName(), type));
    }

    private PayloadInput ask(int edition, String name) throws IOException {
        PayloadOutput question = new PayloadOutput();
        question.writeInt(edition);
        question.writeText(name);
        return classes.answer(question.toPayload().open(), CallerHost.Reach.NETWORK)
                .open();
    }

    @Test
    void classesOfTheProgramMayTravelThoseOfTheJdkDoNot() {
        assertThat(classes.isRemote(SentClassesTest.class)).isTrue();
        assertThat(classes.isRemote(String.class)).isFalse();
        assertThat(classes.isRemote(java.sql.Date.class)).isFalse();
        assertThat(classes.isRemote(javax.tools.ToolProvider.class)).isFalse();
    }

    @Test
    void classIsAnsweredWithItsFile() throws IOException {
        int edition = edition(SentClassesTest.class);

        ClassContent content = ClassContent.readFrom(ask(edition, SentClassesTest.class.getName()));

        assertThat(content.classFile()).startsWith(0xCA, 0xFE, 0xBA, 0xBE);
        assertThat(content.variables()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a..b", "../secret", "/etc/passwd", "a/b", "a.b.", "x\0y", "jar:file:x!.y"})
    void whatIsNoNameOfAClassIsRefused(String name) {
        int edition = edition(SentClassesTest.class);

        assertThatThrownBy(() -> ask(edition, name))
                .isInstanceOf(IOException.class)
                .hasMessage("'" + name + "' is not the name of a class.");
    }

    @Test
    void unknownClassesAndEditionsAreRefused() {
        int edition = edition(SentClassesTest.class);

        assertThatThrownBy(() -> ask(edition, "no.such.Thing"))
                .hasMessage("no.such.Thing is not known to the first process of the program either.");
        assertThatThrownBy(() -> ask(edition + 1, "no.such.Thing"))
                .hasMessage("There is no edition " + (edition + 1) + " of the classes of this session.");
    }

    @Test
    void unchangedClassesStayInTheirEdition() throws IOException {
        int edition = edition(SentClassesTest.class);
        ask(edition, SentClassesTest.class.getName()).close();

        classes.refresh();

        assertThat(edition(ClassContent.class)).isEqualTo(edition);
        assertThat(classes.loaderOf(edition)).isSameAs(SentClassesTest.class.getClassLoader());
    }

    @Test
    void switchSaysWhetherClassesTravelAndRefusesAnotherSerializer() {
        SerializerProvider other = new SerializerProvider() {
            @Override
            public String name() {
                return "kryo";
            }

            @Override
            public ObjectSerializer create(SerializerContext context) {
                throw new IllegalStateException();
            }
        };

        assertThat(RemoteClasses.isOn(config("on"), new JavaSerializerProvider()))
                .isTrue();
        assertThat(RemoteClasses.isOn(config("off"), new JavaSerializerProvider()))
                .isFalse();
        assertThat(RemoteClasses.isOn(config("auto"), other)).isFalse();
        assertThatThrownBy(() -> RemoteClasses.isOn(config("on"), other))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("FBR-501 Setting 'remote-class-loading' is 'on' (from the program's code), but only the"
                        + " serializer 'java' can send classes to workers, and this session uses 'kryo'. Change"
                        + " one of the two settings.");
    }

    private static FiberConfig config(String choice) {
        return FiberConfig.load(
                new ConfigSources(Map.of("remote-class-loading", choice), Map.of(), Map.of(), Path.of("")),
                KnownKeys.of(List.of(), Set.of()));
    }
}
