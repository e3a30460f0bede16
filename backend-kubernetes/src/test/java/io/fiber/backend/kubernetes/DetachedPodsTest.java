// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.backend.kubernetes.ScriptedApiServer.Answer;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a run that the cluster alone keeps. */
final class DetachedPodsTest {

    private static final DetachedJob JOB = new DetachedJob(
            "k3f", Optional.empty(), "s1", "p1", "job-1", Instant.EPOCH, 0, "runs on node", Optional.empty());
    private static final String POD = ScriptedApiServer.NAMESPACE + "/pods/p1";
    private static final String LINE = "2026-11-22T02:00:00.00000000%dZ line %d\n";

    @TempDir
    Path directory;

    private static DetachedPods pods(Cluster cluster) {
        PodPlan.Setting setting = new PodPlan.Setting(
                PodRenderingTest.options(Map.of()), Template.empty(), Optional.empty(), Cluster.labels("abcdefgh1234"));
        return new DetachedPods(cluster, setting, () -> true);
    }

    private static Answer pod(String state) {
        return Answer.of(
                200,
                "{\"kind\": \"Pod\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"p1\"}, \"spec\": {\"nodeName\":"
                        + " \"n\", \"containers\": [{\"name\": \"worker\", \"image\": \"i\"}]}, \"status\": {\"phase\": \"Running\","
                        + " \"containerStatuses\": [{\"name\": \"worker\", \"state\": {" + state + "}}]}}");
    }

    private static String lines(int from, int to) {
        StringBuilder lines = new StringBuilder();
        for (int i = from; i <= to; i++) {
            lines.append(LINE.formatted(i, i));
        }
        return lines.toString();
    }

    @Test
    void logIsFollowedOverBreaksUntilTheRunHasEnded() throws IOException {
        AtomicInteger logs = new AtomicInteger();
        String[] parts = {lines(1, 3).substring(0, 80), "no time: connection refused\n" + lines(2, 4), lines(4, 6)};
        try (ScriptedApiServer server = new ScriptedApiServer();
                Cluster cluster = server.connect(directory, "token: secret")) {
            Answer running = pod("\"running\": {\"startedAt\": \"2026-11-22T02:00:00Z\"}");
            Answer ended = pod("\"terminated\": {\"exitCode\": 0}");
            server.with("GET " + POD, exchange -> (logs.get() < 2 ? running : ended).give(exchange));
            server.with("GET " + POD + "/log", exchange -> {
                boolean isQuestion = exchange.getRequestURI().getQuery().contains("tailLines");
                byte[] text = (isQuestion ? "" : parts[logs.getAndIncrement()]).getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write(text);
            });
            ByteArrayOutputStream copy = new ByteArrayOutputStream();

            pods(cluster).copyLog(JOB, DetachedJobs.Until.END, copy);

            assertThat(copy.toString(StandardCharsets.UTF_8))
                    .isEqualTo("line 1\nline 2\nline 3\nline 4\nline 5\nline 6\n");
            assertThat(logs).hasValue(3);
        }
    }

    @Test
    void logOfAnEndedRunThatBreaksOffIsAnError() throws IOException {
        try (ScriptedApiServer server = new ScriptedApiServer()
                        .with("GET " + POD, pod("\"terminated\": {\"exitCode\": 0}"))
                        .with("GET " + POD + "/log", exchange -> {
                            boolean isQuestion =
                                    exchange.getRequestURI().getQuery().contains("tailLines");
                            exchange.sendResponseHeaders(200, isQuestion ? -1 : 1_000);
                        });
                Cluster cluster = server.connect(directory, "token: secret")) {
            assertThatThrownBy(
                            () -> pods(cluster).copyLog(JOB, DetachedJobs.Until.END, OutputStream.nullOutputStream()))
                    .hasMessageStartingWith(
                            "FBR-183 The output of run k3f (job p1) cannot be read from here: it broke off: ");
        }
    }

    @Test
    void logThatCannotBeWrittenIsNotFollowed() throws IOException {
        try (ScriptedApiServer server = new ScriptedApiServer()
                        .with("GET " + POD, pod("\"running\": {\"startedAt\": \"2026-11-22T02:00:00Z\"}"))
                        .with("GET " + POD + "/log", Answer.of(200, lines(1, 2)));
                Cluster cluster = server.connect(directory, "token: secret")) {
            OutputStream full = new OutputStream() {
                @Override
                public void write(int oneByte) throws IOException {
                    throw new IOException("the disk is full");
                }
            };

            assertThatThrownBy(() -> pods(cluster).copyLog(JOB, DetachedJobs.Until.END, full))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the disk is full");
        }
    }

    private static final String JOBS = ScriptedApiServer.NAMESPACE.replace("/api/", "/apis/batch/") + "/jobs";

    private static String restarted(String name, int minute, int code) {
        return "{\"metadata\": {\"name\": \"" + name + "\", \"creationTimestamp\": \"2026-11-22T02:0" + minute
                + ":00Z\", \"annotations\": {\"io.fiber.restarts\": \"3\"}, \"ownerReferences\": [{\"kind\": \"Job\","
                + " \"name\": \"p1\"}]}, \"spec\": {\"containers\": [{\"name\": \"worker\", \"image\": \"i\"}]},"
                + " \"status\": {\"phase\": \"" + (code == 0 ? "Succeeded" : "Failed")
                + "\", \"containerStatuses\": [{\"name\": \"worker\", \"state\": {\"terminated\": {\"startedAt\":"
                + " \"2026-11-22T02:00:00Z\", \"exitCode\": " + code + "}}}]}}";
    }

    @Test
    void logIsThatOfAllPodsInTheOrderOfTheirStarts() throws IOException {
        String pods = ScriptedApiServer.NAMESPACE + "/pods";
        try (ScriptedApiServer server = new ScriptedApiServer()
                        .with(
                                "GET " + pods,
                                Answer.of(
                                        200,
                                        "{\"kind\": \"PodList\", \"apiVersion\": \"v1\", \"items\": ["
                                                + restarted("late", 2, 0) + "," + restarted("lost", 1, 143) + ","
                                                + restarted("early", 0, 75) + "]}"))
                        .with("GET " + pods + "/early/log", Answer.of(200, lines(1, 2)))
                        .with("GET " + pods + "/late/log", Answer.of(200, lines(3, 3)));
                Cluster cluster = server.connect(directory, "token: secret")) {
            ByteArrayOutputStream copy = new ByteArrayOutputStream();

            pods(cluster).copyLog(JOB, DetachedJobs.Until.NOW, copy);

            assertThat(copy.toString(StandardCharsets.UTF_8)).isEqualTo("line 1\nline 2\nline 3\n");
        }
    }

    /** Otherwise the Job would create another pod. */
    @Test
    void runThatIsStartedAgainIsEndedByItsJobAndThenByItsPods() throws IOException {
        String pods = ScriptedApiServer.NAMESPACE + "/pods";
        String done = "{\"kind\": \"Status\", \"apiVersion\": \"v1\"}";
        try (ScriptedApiServer server = new ScriptedApiServer()
                        .with("DELETE " + JOBS + "/p1", Answer.of(200, done))
                        .with(
                                "GET " + pods,
                                Answer.of(
                                        200,
                                        "{\"kind\": \"PodList\", \"apiVersion\": \"v1\", \"items\": ["
                                                + restarted("late", 2, 0) + "]}"))
                        .with("DELETE " + pods, Answer.of(200, done))
                        .with("DELETE " + ScriptedApiServer.NAMESPACE + "/secrets", Answer.of(200, done));
                Cluster cluster = server.connect(directory, "token: secret")) {

            pods(cluster).end(JOB, DetachedJobs.Ending.FORCED);

            assertThat(server.requests())
                    .filteredOn(request -> request.startsWith("DELETE"))
                    .extracting(request -> request.replaceAll("\\?.*", ""))
                    .containsSubsequence("DELETE " + JOBS + "/p1", "DELETE " + pods);
        }
    }

    @Test
    void runWhoseJobThisUserMayNotDeleteIsNotEnded() throws IOException {
        try (ScriptedApiServer server = new ScriptedApiServer()
                        .with("DELETE " + JOBS + "/p1", Answer.refusal("jobs.batch is forbidden"))
                        .with(
                                "GET " + ScriptedApiServer.NAMESPACE + "/pods",
                                Answer.of(
                                        200,
                                        "{\"kind\": \"PodList\", \"apiVersion\": \"v1\", \"items\": ["
                                                + restarted("late", 2, 0) + "]}"));
                Cluster cluster = server.connect(directory, "token: secret")) {
            assertThatThrownBy(() -> pods(cluster).end(JOB, DetachedJobs.Ending.FORCED))
                    .hasMessageStartingWith("FBR-184 ")
                    .hasMessageContaining("jobs.batch is forbidden");
        }
    }

    @Test
    void runThatIsEndedLeavesNoSecret() throws IOException {
        try (ScriptedApiServer server = new ScriptedApiServer()
                        .with("DELETE " + POD, Answer.of(200, "{\"kind\": \"Pod\", \"apiVersion\": \"v1\"}"))
                        .with(
                                "DELETE " + ScriptedApiServer.NAMESPACE + "/secrets",
                                Answer.of(200, "{\"kind\": \"Status\", \"apiVersion\": \"v1\"}"));
                Cluster cluster = server.connect(directory, "token: secret")) {

            pods(cluster).end(JOB, DetachedJobs.Ending.ASKED);

            assertThat(server.requests())
                    .anyMatch(request -> request.startsWith("DELETE " + POD))
                    .anyMatch(request ->
                            request.matches("DELETE .*/secrets\\?.*labelSelector=io.fiber.session(=|%3D)s1.*"));
        }
    }
}
