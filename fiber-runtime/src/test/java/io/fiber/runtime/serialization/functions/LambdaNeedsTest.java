// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Needs;
import io.fiber.function.RemoteCallable;
import io.fiber.function.RemoteFunction;
import io.fiber.function.RemoteRunnable;
import io.fiber.spec.Resources;
import java.io.InputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is known of the needs of lambda expressions, from their code. */
class LambdaNeedsTest {

    private static final Resources GPU = Resources.gpus(1);
    private static final FunctionResources OF_SCORE =
            new FunctionResources(GPU, "@Needs of " + LambdaNeedsTest.class.getName() + ".score");
    private static final int FACTOR = Integer.getInteger("no.such.property", 3);

    record Config(double rate, List<String> names) implements Serializable {}

    /** Has a method that a subclass inherits. */
    static class Model implements Serializable {
        private static final long serialVersionUID = 1L;

        @Needs(cpus = 2)
        long train(long steps, Object config) {
            return steps;
        }

        @Needs(gpus = 2)
        static double evaluate(double rate) {
            return rate;
        }
    }

    static final class Special extends Model {
        private static final long serialVersionUID = 1L;
    }

    @Needs(gpus = 1)
    static int score(int item) {
        return item;
    }

    @Needs(gpus = 1)
    static void fill(Collection<?> names, String text, long count, double rate) {
        assertThat(names.contains(text + count + rate)).isFalse();
    }

    static int plain(int item) {
        return item;
    }

    private final List<String> warnings = new ArrayList<>();
    private final Logger logger = Logger.getLogger(FunctionResources.class.getName());
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            warnings.add(entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
    }

    @AfterEach
    void leave() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    @Test
    void lambdaThatOnlyCallsAMethodHasItsNeeds() {
        RemoteFunction<Integer, Integer> expression = item -> score(item);
        RemoteFunction<Integer, Object> boxed = item -> score(item);
        RemoteFunction<Map<String, Integer>, Integer> block = item -> {
            return score(FACTOR);
        };
        RemoteRunnable result = () -> score(7);
        RemoteFunction<int[], Integer> computed = items -> score(items[1] * FACTOR + 1);

        assertThat(List.of(expression, boxed, block, result, computed))
                .extracting(FunctionResources::of)
                .containsOnly(OF_SCORE);
        assertThat(warnings).isEmpty();
    }

    @Test
    void capturedArgumentsConstantsFieldsAndCastsAreNoCalls() {
        Object names = new ArrayList<String>();
        long count = 1L << 40;
        Double rate = 0.5;
        RemoteRunnable program = () -> fill((ArrayList<?>) names, "text", count, rate);
        Special model = new Special();
        Config config = new Config(0.5, List.of());
        RemoteFunction<Integer, Long> bound = steps -> model.train(steps, config);
        RemoteCallable<Double> inherited = () -> Special.evaluate(0.25);

        assertThat(FunctionResources.of(program).resources()).isEqualTo(GPU);
        assertThat(FunctionResources.of(bound).resources()).isEqualTo(Resources.cpus(2));
        assertThat(FunctionResources.of(inherited))
                .isEqualTo(
                        new FunctionResources(Resources.gpus(2), "@Needs of " + Model.class.getName() + ".evaluate"));
        assertThat(warnings).isEmpty();
    }

    @Test
    void lambdaThatDoesMoreIsWarnedOfOnceWithItsPlace() {
        for (int round = 0; round < 3; round++) {
            int offset = round;
            int line = new Throwable().getStackTrace()[0].getLineNumber() + 1;
            RemoteFunction<Integer, Integer> more = item -> score(item) + plain(offset);

            FunctionResources needs = FunctionResources.of(more);

            assertThat(needs.resources()).isEqualTo(Resources.unspecified());
            assertThat(needs.decided()).isEqualTo(Resources.unspecified());
            assertThat(warnings)
                    .containsExactly("FBR-485 The lambda in " + LambdaNeedsTest.class.getName()
                            + " (LambdaNeedsTest.java:" + line + ") calls " + LambdaNeedsTest.class.getName()
                            + ".score, but Fiber ignores @Needs here, because the lambda does more than"
                            + " this one call. Submit a reference to the method (LambdaNeedsTest::score)"
                            + " or a lambda that only calls it; or set resources(...) of the call, the"
                            + " pool or the process.");
        }
    }

    @Test
    void eachPlaceAndEachMethodIsNamed() {
        RemoteRunnable branches = () -> {
            if (FACTOR > 3) {
                score(1);
            }
        };
        RemoteFunction<Integer, Double> two = item -> switch (item) {
            case 1 -> (double) score(item);
            case 1_000_000 -> Model.evaluate(item);
            default -> 0.0;
        };
        RemoteRunnable creates = () -> new Model().train(1, "x");
        for (Object function : List.of(branches, two, creates)) {
            FunctionResources.of(function).decided();
        }

        assertThat(warnings).hasSize(3);
        assertThat(warnings.get(0)).contains(" calls " + LambdaNeedsTest.class.getName() + ".score, but ");
        assertThat(warnings.get(1))
                .contains(" calls " + LambdaNeedsTest.class.getName() + ".score and " + Model.class.getName()
                        + ".evaluate, but ");
        assertThat(warnings.get(2)).contains(" calls " + Model.class.getName() + ".train, but ", "(Model::train)");
    }

    @Test
    void nothingIsToldBeforeSomebodyDecidesByIt() {
        RemoteFunction<Integer, Integer> more = item -> score(item) + 1 + plain(item);

        FunctionResources.of(more);

        assertThat(warnings).isEmpty();
    }

    @Test
    void lambdasWithoutAnAnnotatedCallSayNothing() {
        RemoteCallable<Integer> calls = () -> plain(plain(FACTOR)) + List.of(1).size();
        RemoteRunnable nothing = () -> {};
        RemoteCallable<Supplier<Integer>> inside = () -> () -> score(1);

        assertThat(List.of(calls, nothing, inside))
                .extracting(function -> FunctionResources.of(function))
                .containsOnly(FunctionResources.NONE);
        assertThat(warnings).isEmpty();
    }

    /** As of a class that was defined at run time: nothing is known, and nothing is said. */
    @Test
    void lambdaWhoseClassFileCannotBeHadHasNoNeeds() throws Exception {
        Object lambda = new Unreadable()
                .loadClass(Unread.class.getName())
                .getMethod("lambda")
                .invoke(null);

        assertThat(FunctionResources.of(lambda)).isEqualTo(FunctionResources.NONE);
        assertThat(warnings).isEmpty();
    }

    /** Is loaded by a loader that gives no class files. */
    public static final class Unread {
        private Unread() {}

        @Needs(gpus = 1)
        static int score(int item) {
            return item;
        }

        public static Object lambda() {
            return (RemoteFunction<Integer, Integer>) item -> score(item);
        }
    }

    private static final class Unreadable extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(Unread.class.getName())) {
                return super.loadClass(name, resolve);
            }
            try (InputStream in = Unread.class.getResourceAsStream("LambdaNeedsTest$Unread.class")) {
                byte[] classFile = in.readAllBytes();
                return defineClass(name, classFile, 0, classFile.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        @Override
        public @Nullable InputStream getResourceAsStream(String name) {
            return null;
        }
    }
}
