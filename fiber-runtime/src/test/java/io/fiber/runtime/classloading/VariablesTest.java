// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.classloading;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.runtime.serialization.ValueCodec;
import io.fiber.spi.Options;
import java.io.IOException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class VariablesTest {

    /** As JShell makes a class of three snippets. */
    private static final class Snippets {
        static int count = 7;
        static Object lock = new Object();
        static String text = "seven";
    }

    @Test
    void variableThatCannotBeSerializedStaysBehindAlone() throws IOException {
        ValueCodec values = Codecs.of(
                        new JavaSerializerProvider(), Options.none(), Side.MASTER, UnaryOperator.identity())
                .values();
        byte[] encoded = Variables.encode(Snippets.class, values);
        Object lock = Snippets.lock;
        Snippets.count = 0;
        Snippets.text = "";

        Variables.decode(encoded, Snippets.class, values);

        assertThat(Snippets.count).isEqualTo(7);
        assertThat(Snippets.text).isEqualTo("seven");
        assertThat(Snippets.lock).isSameAs(lock);
    }
}
