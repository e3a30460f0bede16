// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class CompletionHooksTest {

    @Test
    void whatAThreadThatHasEndedOwesIsDoneBeforeAnotherGoesOn() throws InterruptedException {
        CompletionHooks hooks = new CompletionHooks();
        List<String> done = new CopyOnWriteArrayList<>();
        Thread reader = new Thread(() -> hooks.add("queue", () -> done.add("received")), "reader");
        reader.start();
        reader.join();
        assertThat(done).isEmpty();

        assertThat(hooks.take("queue")).isNull();

        assertThat(done).containsExactly("received");
    }
}
