// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.Secret;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Clauses BKD-70x and BKD-71x: what a program is given when it starts. */
abstract class BootstrapContract extends BackendContract {

    private static final int LENGTH = 3_000;
    private static final String SECRET_TEXT = "fiber-tck-secret-8f1b42d09c";

    private static byte[] bytes(int seed) {
        byte[] bytes = new byte[LENGTH];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Clause(
            id = "BKD-701",
            says = "each instance gets its own bootstrap bytes, whole",
            check = "that no byte is translated (0, 10, 13, 255), and that an array's elements do not share one file.")
    void eachInstanceGetsItsBytes() {
        String token = nextName();
        int count = Math.min(3, fixture().slots());
        List<Submission.Instance> instances = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            instances.add(new Submission.Instance(nextName(), Secret.of(bytes(i))));
        }
        submit(backend(), new Submission(probe(token).build(), instances), recorder());
        await(
                "BKD-202",
                fixture().startLimit(),
                () -> beacon().calls(token).size() >= count,
                () -> "of " + count + " programs " + beacon().calls(token).size()
                        + " called; one that cannot read its bootstrap bytes does not call.");
        Set<Integer> seen = beacon().calls(token).stream()
                .map(call -> Arrays.hashCode(call.bytes("bootstrap")))
                .collect(Collectors.toSet());
        Set<Integer> expected = instances.stream()
                .map(instance -> Arrays.hashCode(instance.bootstrap().copyBytes()))
                .collect(Collectors.toSet());
        List<Integer> lengths = beacon().calls(token).stream()
                .map(call -> call.bytes("bootstrap").length)
                .toList();
        assertThat(seen)
                .as("hashes of the bytes that the programs read, whose lengths are %s (expected %s)", lengths, LENGTH)
                .isEqualTo(expected);
    }

    private ProbeJob startWithSecret() {
        String token = nextName();
        byte[] secret = SECRET_TEXT.getBytes(StandardCharsets.US_ASCII);
        ProbeJob job = start(backend(), probe(token).build(), token, Secret.of(secret));
        job.call();
        return job;
    }

    @Clause(
            id = "BKD-702",
            says = "standard input stays open behind the bootstrap bytes and carries nothing more",
            check = "that the stream is neither closed after the bytes nor connected to this process's own input.")
    void standardInputStaysOpen() {
        ProbeJob job = startWithSecret();
        assume(job.call().fact("bootstrap-form").equals("stdin"), "does not hand the bootstrap over by standard input");
        letOthersPass();
        job.tell("print", "still here");
        assertThat(job.call().saw("stdin-ended")).as("standard input has ended").isFalse();
        assertThat(job.call().saw("stdin-continued"))
                .as("standard input has carried more")
                .isFalse();
    }

    @Clause(
            id = "BKD-703",
            says = "a bootstrap file can be read by its owner only",
            check = "that the file is made with mode 0600 (a mounted secret: nothing for others), not changed later.")
    void bootstrapFileIsPrivate() {
        ProbeJob job = startWithSecret();
        assume(job.call().fact("bootstrap-form").equals("file"), "does not hand the bootstrap over by a file");
        assertThat(job.call().fact("bootstrap-mode"))
                .as("permissions of the bootstrap file")
                .doesNotContain("OTHERS")
                .doesNotContain("GROUP_WRITE");
    }

    @Clause(
            id = "BKD-704",
            says = "the bootstrap bytes appear in no command line, variable, log or event, in no encoding",
            check = "what is visible to other users: the list of processes, the job's record, docker inspect.")
    void bootstrapIsNotVisible() {
        ProbeJob job = startWithSecret();
        ProbeCall call = job.call();
        job.exit(0);
        job.ended();
        byte[] secret = SECRET_TEXT.getBytes(StandardCharsets.US_ASCII);
        List<String> forms = List.of(
                SECRET_TEXT,
                Base64.getEncoder().withoutPadding().encodeToString(secret),
                HexFormat.of().formatHex(secret));
        Map<String, String> places = new TreeMap<>();
        places.put("command line", call.fact("command-line"));
        places.put("arguments", call.fact("arguments"));
        places.put("environment", call.fact("environment"));
        places.put("output", outputOf(job.job()));
        places.put("job", job.job() + " " + job.job().id());
        places.put(
                "events",
                job.events().story(job.job()).stream().map(JobEvent::toString).collect(Collectors.joining(" ")));
        places.forEach((place, text) -> forms.forEach(form -> assertThat(text.contains(form))
                .as("the secret can be read in the %s", place)
                .isFalse()));
    }

    @Clause(
            id = "BKD-705",
            says = "the bootstrap variable is set exactly when there are bootstrap bytes, to a form that is documented",
            check = "FIBER_BOOTSTRAP: stdin, or file: and an absolute path; not inherited from this process.")
    void variableIsSetWhenNeeded() {
        ProbeJob without = start();
        assertThat(without.call().list("environment"))
                .as("environment of a job without bootstrap")
                .noneMatch(variable -> variable.startsWith(JobSpec.BOOTSTRAP_VARIABLE + "="));
        ProbeJob with = startWithSecret();
        assertThat(with.call().fact("bootstrap-form"))
                .as("form of the bootstrap")
                .isIn("stdin", "file");
    }

    @Clause(
            id = "BKD-711",
            says = "the spec's environment variables arrive as written",
            check = "quoting of blanks, quotes, dollars, commas and equals signs; Slurm's --export splits at commas.")
    void environmentArrivesAsWritten() {
        Map<String, String> variables = new TreeMap<>(Map.of(
                "TCK_PLAIN", "value",
                "TCK_BLANKS", " two  words ",
                "TCK_QUOTES", "a'b\"c",
                "TCK_SHELL", "$HOME `id` \\ ; & |",
                "TCK_COMMA", "a,b=c,d",
                "TCK_EMPTY", ""));
        String token = nextName();
        ProbeJob job = start(probe(token).environment(variables).build(), token);
        List<String> seen = job.call().list("environment");
        assertThat(seen)
                .as("environment that the program saw")
                .containsAll(variables.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .toList());
    }

    @Clause(
            id = "BKD-712",
            says = "what jobs are told apart by is the name that the submission gave",
            check = "that Job.name() is the instance's name, not the platform's.")
    void namesAreKept() {
        EventRecorder recorder = recorder();
        String token = nextName();
        String longest = "n" + "x".repeat(61) + "9";
        Job job = submit(backend(), Submission.of(probe(token).build(), longest, Secret.empty()), recorder)
                .get(0);
        new ProbeJob(this, job, recorder, token).call();
        assertThat(job.name()).as("name of 63 characters").isEqualTo(longest);
    }
}
