// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.spi.Secret;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class JobKeysTest {

    private final JobKeys keys = new JobKeys(new SecureRandom(), 3);

    @Test
    void eachJobGetsAKeyOfItsOwn() {
        JobKey first = keys.register(1);
        JobKey second = keys.register(2);

        assertThat(first).isNotEqualTo(second);
        assertThat(first.secret().length()).isEqualTo(JobKey.LENGTH_BYTES);
        assertThat(keys.waiting(1)).contains(first);
        assertThat(new JobKey(first.secret())).isEqualTo(first).hasSameHashCodeAs(first);
    }

    @Test
    void aKeyIsAcceptedOnce() {
        JobKey key = keys.register(7);

        assertThat(keys.waiting(7)).isPresent();
        assertThat(keys.accept(7, key)).isTrue();
        assertThat(keys.accept(7, key)).isFalse();
        assertThat(keys.isKnown(7)).isTrue();
        assertThat(keys.waiting(7)).isEmpty();
        assertThat(keys.waiting(7)).isEmpty();
    }

    @Test
    void ofManyThreadsThatHoldTheKeyOneIsAccepted() throws Exception {
        JobKey key = keys.register(7);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Callable<Boolean> attempt = () -> keys.accept(7, key);
            int accepted = 0;
            for (Future<Boolean> one : threads.invokeAll(List.of(attempt, attempt, attempt, attempt))) {
                accepted += one.get() ? 1 : 0;
            }
            assertThat(accepted).isEqualTo(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aKeyOfAnotherJobOrOfAForgottenOneIsNotAccepted() {
        JobKey forgotten = keys.register(7);
        keys.forget(7);
        assertThat(keys.accept(7, forgotten)).isFalse();
        assertThat(keys.isKnown(7)).isFalse();

        JobKey anew = keys.register(7);
        assertThat(keys.accept(7, forgotten)).isFalse();
        assertThat(keys.accept(7, anew)).isTrue();
    }

    @Test
    void aNumberThatIsKnownIsRefused() {
        JobKey key = keys.register(7);
        keys.accept(7, key);

        assertThatThrownBy(() -> keys.register(7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Job 7 has a key already; each job needs a number of its own.");
    }

    @Test
    void theNumberOfJobsIsBounded() {
        keys.register(1);
        keys.register(2);
        keys.register(3);
        assertThatThrownBy(() -> keys.register(4))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("No key for job 4: 3 jobs are known, the limit is 3. Forget jobs that have ended.");

        keys.forget(2);
        keys.forget(99);
        keys.register(4);
        assertThat(keys.size()).isEqualTo(3);
    }

    @Test
    void aKeyOfAnotherLengthIsRefused() {
        assertThatThrownBy(() -> new JobKey(Secret.of(new byte[31])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A job key of 31 bytes came with the bootstrap; it must have 32."
                        + " Start the worker with the bootstrap its master wrote, unchanged.");
    }
}
