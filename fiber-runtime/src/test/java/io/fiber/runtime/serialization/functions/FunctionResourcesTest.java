// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import io.fiber.Needs;
import io.fiber.function.RemoteCallable;
import io.fiber.function.RemoteFunction;
import io.fiber.spec.Resources;
import io.fiber.spec.Volume;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import org.junit.jupiter.api.Test;

/** What is known of a function's needs, and who said so. */
class FunctionResourcesTest {

    private static final Resources TWO = Resources.cpus(2).withMemory("1g").withGpus(1);

    @Needs(cpus = 2, memory = "1g", gpus = 1)
    static int train(int item) {
        return item;
    }

    static int plain(int item) {
        return item;
    }

    @Needs(memory = "64 parsecs")
    static int misspelt(int item) {
        return item;
    }

    /** A model whose inherited method is referred to. */
    static class Model implements Serializable {
        private static final long serialVersionUID = 1L;

        @Needs(cpus = 0.5)
        int score(int item) {
            return item;
        }
    }

    static class Special extends Model {
        private static final long serialVersionUID = 1L;
    }

    @Needs(gpus = 2)
    static class Task implements RemoteCallable<Integer> {
        private static final long serialVersionUID = 1L;

        @Override
        public Integer call() {
            return 1;
        }
    }

    static final class SpecialTask extends Task {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void methodBehindAReferenceIsRead() {
        RemoteFunction<Integer, Integer> function = FunctionResourcesTest::train;

        assertThat(FunctionResources.of(function))
                .isEqualTo(new FunctionResources(TWO, "@Needs of " + FunctionResourcesTest.class.getName() + ".train"));
    }

    @Test
    void inheritedMethodOfABoundObjectIsRead() {
        Special model = new Special();
        RemoteFunction<Integer, Integer> function = model::score;

        assertThat(FunctionResources.of(function).resources()).isEqualTo(Resources.cpus(0.5));
    }

    @Test
    void classOfATaskIsReadAndInherited() {
        assertThat(FunctionResources.of(new Task()).resources()).isEqualTo(Resources.gpus(2));
        assertThat(FunctionResources.of(new SpecialTask()).resources()).isEqualTo(Resources.gpus(2));
    }

    @Test
    void nothingIsKnownOfALambdaThatCallsNothingAnnotated() {
        RemoteFunction<Integer, Integer> lambda = item -> plain(plain(item)) + Math.abs(item);

        assertThat(FunctionResources.of(lambda)).isEqualTo(FunctionResources.NONE);
    }

    @Test
    void nothingIsKnownOfAReferenceWhoseObjectCannotTravel() {
        Object cannotTravel = new Object();
        RemoteCallable<String> function = cannotTravel::toString;

        assertThat(FunctionResources.of(function)).isEqualTo(FunctionResources.NONE);
    }

    @Test
    void resourcesTravel() throws Exception {
        assertThat(copy(Resources.cpus(8).withMemory("2m")))
                .isEqualTo(Resources.cpus(8).withMemory("2m"));
        assertThat(copy(Resources.unspecified())).isEqualTo(Resources.unspecified());
    }

    @Test
    void eachOfTheResourcesIsAddedToTheOthers() {
        assertThat(Resources.gpus(1).withMemory("2m").withCpus(0.5))
                .hasToString("cpus=0.5, memoryBytes=2097152, gpus=1");
    }

    @Test
    void memoryThatIsNoSizeAndVolumesWithoutAnAbsolutePathAreRefused() {
        assertThatThrownBy(() -> Resources.memory("4 gigs"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("FBR-305 memory is '4 gigs'; expected a size in bytes, for example 512m or 4g.");
        assertThatThrownBy(() -> Volume.of("data", "data").readOnly())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("FBR-305 Volume 'data' is mounted at 'data'; expected an absolute path.");
        assertThatThrownBy(() -> Volume.parse("data"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("FBR-305 The volume is 'data'; expected NAME:PATH or NAME:PATH:ro.");
    }

    @Test
    void annotationWithABadValueIsAnErrorThatNamesIt() {
        RemoteFunction<Integer, Integer> function = FunctionResourcesTest::misspelt;

        assertThatThrownBy(() -> FunctionResources.of(function))
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-481 The annotation @Needs of " + FunctionResourcesTest.class.getName()
                        + ".misspelt cannot be used: ")
                .hasMessageContaining("64 parsecs");
    }

    private static Object copy(Object object) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }
}
