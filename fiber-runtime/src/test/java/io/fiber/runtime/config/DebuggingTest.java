// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DebuggingTest {

    private static final Optional<Duration> DEADLINE = Optional.of(Duration.ofSeconds(3));

    private static FiberConfig config(String debug) {
        return FiberConfig.load(
                ConfigSources.system(Map.of("debug", debug, "lease", "1s", "start-limit", "2s")),
                KnownKeys.of(List.of(), Set.of()));
    }

    @Test
    void allClocksRunWithoutIt() {
        FiberConfig config = config("false");
        Debugging debugging = Debugging.of(config);

        assertThat(debugging.isOn()).isFalse();
        assertThat(debugging.jvmOption()).isEmpty();
        assertThat(debugging.lease(config)).isEqualTo(Duration.ofSeconds(1));
        assertThat(debugging.startLimit(config)).isEqualTo(Duration.ofSeconds(2));
        assertThat(debugging.deadline(DEADLINE)).isEqualTo(DEADLINE);
    }

    @ParameterizedTest
    @CsvSource({"true, n", "suspend, y"})
    void workersListenOnTheLoopbackAndNoClockEndsWhatIsHalted(String value, String suspend) {
        FiberConfig config = config(value);
        Debugging debugging = Debugging.of(config);

        assertThat(debugging.isOn()).isTrue();
        assertThat(debugging.jvmOption())
                .contains("-agentlib:jdwp=transport=dt_socket,server=y,suspend=" + suspend + ",address=127.0.0.1:0");
        assertThat(debugging.lease(config)).isGreaterThan(Duration.ofHours(12));
        assertThat(debugging.startLimit(config)).isGreaterThan(Duration.ofHours(12));
        assertThat(debugging.deadline(DEADLINE)).isEmpty();
    }
}
