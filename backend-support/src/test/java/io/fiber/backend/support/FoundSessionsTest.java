// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.support.FoundSessions.Kind;
import io.fiber.backend.support.SessionOwner.Life;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.Leftover;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FoundSessionsTest {

    private final FoundSessions found = new FoundSessions();

    private static Map<String, String> of(String session, Life owner) {
        return Map.of(
                SessionLabels.SESSION, session, SessionOwner.OWNER, owner.name(), SessionOwner.HOST, "h-" + session);
    }

    @Test
    void whatMayBelongToALivingSessionIsNeverLeft() {
        found.add("pod", Kind.OTHER, of("lives", Life.LIVES));
        found.add("pod", Kind.LIVE_JOB, of("gone", Life.GONE));
        found.add("pod", Kind.OTHER, of("gone", Life.GONE));
        found.add("secret", Kind.OTHER, of("gone", Life.GONE));
        found.add("pod", Kind.LIVE_JOB, of("works", Life.UNKNOWN));
        found.add("secret", Kind.OTHER, of("works", Life.UNKNOWN));
        found.add("secret", Kind.OTHER, of("rests", Life.UNKNOWN));

        assertThat(found.leftovers(Life::valueOf))
                .containsExactly(
                        new Leftover("gone", "2 pods, 1 secret", Optional.empty()),
                        new Leftover(
                                "rests", "1 secret", Optional.of("its program, on h-rests, cannot be seen from here")));
    }

    @Test
    void ofARunThatItsPlatformKeepsTheJobsAloneCount() {
        Map<String, String> runs = Map.of(SessionLabels.SESSION, "runs", DetachedJobs.RUN, "a");
        Map<String, String> over = Map.of(SessionLabels.SESSION, "over", DetachedJobs.RUN, "b");
        found.add("container", Kind.LIVE_JOB, runs);
        found.add("volume", Kind.OTHER, of("runs", Life.GONE));
        found.add("container", Kind.OTHER, over);
        found.add("volume", Kind.OTHER, of("over", Life.UNKNOWN));

        assertThat(found.leftovers(Life::valueOf))
                .containsExactly(new Leftover("over", "1 container, 1 volume", Optional.empty()));
    }

    @Test
    void processOfThisHostIsKnownByItsLabelAndNoOtherIs() {
        String own = SessionOwner.labels().getOrDefault(SessionOwner.OWNER, "");
        String[] parts = own.split("-", 3);

        assertThat(own).matches("[0-9a-z-]{1,63}");
        assertThat(SessionOwner.life(own)).isEqualTo(Life.LIVES);
        assertThat(SessionOwner.life(own + "0")).as("another namespace").isEqualTo(Life.UNKNOWN);
        assertThat(SessionOwner.life(parts[0] + "-" + parts[1] + "-1" + parts[2]))
                .as("an earlier process of this pid")
                .isEqualTo(Life.GONE);
        assertThat(SessionOwner.life("")).isEqualTo(Life.UNKNOWN);
    }
}
