// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.function.RemoteCallable;
import io.fiber.function.RemoteFunction;
import io.fiber.runtime.protocol.PayloadOutput;
import java.io.Serializable;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which functions are warned of because each worker would draw the same random numbers. */
class CapturedGeneratorTest {

    /** As a library has it that is older than the JDK's. */
    interface RandomGenerator {
        int nextInt();
    }

    static class Twister implements RandomGenerator, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public int nextInt() {
            return 4;
        }
    }

    static final class Shifted extends Random {
        private static final long serialVersionUID = 1L;
    }

    record Walk(Random random) implements Serializable {
        int step(int position) {
            return position + random.nextInt();
        }
    }

    private final List<String> said = new ArrayList<>();
    private final Logger logger = Logger.getLogger(ValueCodec.class.getName());
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            said.add(entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void listenNoMore() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    private List<String> saidOf(Object function) {
        said.clear();
        Serializing.on(Side.MASTER).writeFunction(function, new PayloadOutput(), ValueName.VALUE);
        return said;
    }

    @Test
    void functionThatCapturedAGeneratorIsWarnedOf() {
        Random random = new Random(7);

        assertThat(saidOf((RemoteFunction<Integer, Integer>) random::nextInt))
                .containsExactly("FBR-489 java.util.Random::nextInt captured a java.util.Random. Each worker draws"
                        + " from a copy of it, so the same numbers repeat. Create a generator in the task:"
                        + " ThreadLocalRandom.current(), or, for reproducible numbers,"
                        + " RandomGeneratorFactory.of(\"L64X128MixRandom\").create(seed + index) for each item. Fiber"
                        + " says this once.");
    }

    @Test
    void generatorIsFoundWhereverItIs() {
        Random shifted = new Shifted();
        Twister twister = new Twister();
        Walk walk = new Walk(new Random());
        List<Object> among = List.of("a", new Object[] {new Random()});

        assertThat(saidOf((RemoteCallable<Integer>) () -> shifted.nextInt()))
                .singleElement()
                .asString()
                .contains("captured a " + Shifted.class.getName() + ".");
        assertThat(saidOf((RemoteCallable<Integer>) twister::nextInt))
                .singleElement()
                .asString()
                .contains("captured a " + Twister.class.getName() + ".");
        assertThat(saidOf((RemoteFunction<Integer, Integer>) walk::step)).hasSize(1);
        assertThat(saidOf((RemoteCallable<Integer>) () -> among.size())).hasSize(1);
    }

    @Test
    void generatorsThatDoNotRepeatThemselvesAreNotWarnedOf() {
        SecureRandom secure = new SecureRandom();
        Random local = ThreadLocalRandom.current();

        assertThat(saidOf((RemoteCallable<Integer>) () -> local.nextInt())).isEmpty();
        assertThat(saidOf((RemoteCallable<Integer>) () -> secure.nextInt())).isEmpty();
        assertThat(saidOf((RemoteCallable<Integer>) () -> new Random().nextInt()))
                .isEmpty();
    }

    /** An item is for one task. */
    @Test
    void itemsMayHaveGenerators() {
        Serializing.on(Side.MASTER).write(new Random(), new PayloadOutput());

        assertThat(said).isEmpty();
    }

    @Test
    void itIsSaidOnce() {
        ValueCodec codec = Serializing.on(Side.MASTER);
        Random random = new Random();
        for (int i = 0; i < 3; i++) {
            codec.writeFunction((RemoteCallable<Integer>) () -> random.nextInt(), new PayloadOutput(), ValueName.VALUE);
        }

        assertThat(said).hasSize(1);
    }
}
