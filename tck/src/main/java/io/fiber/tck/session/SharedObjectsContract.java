// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import io.fiber.ManagedList;
import io.fiber.Manager;
import io.fiber.Pool;
import io.fiber.ProcessState;
import io.fiber.RemoteTaskException;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The program's own objects behind an interface, and the manager's process. */
abstract class SharedObjectsContract extends ManagerContract {

    /** The shared object. */
    public interface Calculator {
        /** Adds to the stored number. */
        int add(int number);

        /** Fails. */
        void fail(String why) throws IOException;

        /** Returns the process in which it runs. */
        default long pid() {
            return ProcessHandle.current().pid();
        }
    }

    static final class Sum implements Calculator, Serializable {
        private static final long serialVersionUID = 1L;

        private int sum;

        Sum(int first) {
            sum = first;
        }

        @Override
        public int add(int number) {
            sum += number;
            return sum;
        }

        @Override
        public void fail(String why) throws IOException {
            throw new IOException(why);
        }
    }

    @Test
    void callsOfAllProcessesReachOneObject() {
        Calculator calculator = manager().share(Calculator.class, () -> new Sum(7));
        try (Pool pool = fiber().pool(2)) {
            pool.map(calculator::add, IntStream.range(0, 50));
        }
        assertThat(calculator.add(0)).isEqualTo(7 + 1225);
        assertThat(Long.toString(calculator.pid()))
                .isNotEqualTo(fiber().currentProcess().id());
        assertThat(calculator.toString()).startsWith("Calculator 0.");
    }

    @Test
    void aCopyOfAnInstanceCanBeShared() {
        Sum mine = new Sum(1);
        Calculator shared = manager().shareCopy(Calculator.class, mine);
        assertThat(shared.add(1)).isEqualTo(2);
        assertThat(mine.add(0)).isEqualTo(1);
        ManagedList<Calculator> list = manager().list(List.of(shared));
        assertThat(list.get(0).add(1)).isEqualTo(3);
        assertThat(list.get(0)).isEqualTo(shared);
    }

    @Test
    void whatAMethodThrowsArrivesWithItsRemoteTrace() {
        Calculator calculator = manager().share(Calculator.class, () -> new Sum(0));
        assertThatThrownBy(() -> calculator.fail("no such horse"))
                .isInstanceOf(RemoteTaskException.class)
                .hasMessageContaining("java.io.IOException: no such horse")
                .hasCauseInstanceOf(IOException.class);
        assertThatThrownBy(() -> manager().share(Calculator.class, () -> {
                    throw new IOException("no such stable");
                }))
                .isInstanceOf(RemoteTaskException.class)
                .hasMessageContaining("no such stable");
    }

    @Test
    void onlyInterfacesAreShared() {
        assertThatThrownBy(() -> manager().share(Sum.class, () -> new Sum(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("FBR-435");
    }

    @Test
    void theInitializerRunsFirstAndItsFailureIsTheStartsFailure() {
        try (Manager initialized = fiber().managerBuilder()
                .name("initialized")
                .initializer(() -> System.setProperty("kit.initialized", "yes"))
                .start()) {
            assertThat(initialized.process().name()).isEqualTo("initialized");
            ManagedList<Integer> list = initialized.list(List.of(1));
            assertThat(list.<String>call(each -> System.getProperty("kit.initialized")))
                    .isEqualTo("yes");
        }
        assertThatThrownBy(() -> fiber().managerBuilder()
                        .initializer(() -> {
                            throw new IOException("no initializer today");
                        })
                        .start())
                .isInstanceOf(RemoteTaskException.class)
                .hasMessageContaining("no initializer today");
    }

    @Test
    void callsFailWhenTheManagerIsGone() {
        Manager gone = fiber().manager();
        ManagedList<Integer> list = gone.list(List.of(1));
        gone.close();
        assertThat(gone.process().state()).isEqualTo(ProcessState.EXITED);
        assertThatThrownBy(list::size).isInstanceOf(FiberException.class).hasMessageStartingWith("FBR-400");
        gone.close();

        Manager killed = fiber().manager();
        ManagedList<Integer> lost = killed.list(List.of(1));
        killed.process().kill();
        killed.process().onExit().join();
        assertThatThrownBy(lost::size).isInstanceOf(FiberException.class).hasMessageStartingWith("FBR-400");
        killed.close();
    }
}
