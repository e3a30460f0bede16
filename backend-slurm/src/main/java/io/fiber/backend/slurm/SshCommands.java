// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.slurm.ssh.SshFailures;
import io.fiber.backend.slurm.ssh.SshHost;
import io.fiber.backend.support.batch.Commands;
import io.fiber.spi.backend.BackendException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Slurm's programs on a login node, with the surroundings that a login shell has there: sites put Slurm on the PATH in
 * files that a plain command does not read.
 */
final class SshCommands implements Commands {

    private static final Duration PROFILE_LIMIT = Duration.ofSeconds(20);
    private static final int NOT_FOUND = 127;
    private static final Pattern VARIABLE = Pattern.compile("(?m)^\u0001([A-Za-z_][A-Za-z0-9_]*)=(.*)$");
    private static final String WHAT_COUNTS =
            "echo; for name in HOME PATH LD_LIBRARY_PATH SLURM_CONF LANG LANGUAGE ${!LC_*} ${!SBATCH_*}; do printf '\\001%s=%s\\n' \"$name\" \"${!name}\"; done;"
                    + " for program in \"$@\"; do command -v \"$program\" >/dev/null || printf '\\001MISSING=%s\\n' \"$program\"; done";
    private static final String MISSING = "MISSING";

    private final SshHost host;
    private final Path home;
    private final String surroundings;
    private final String path;

    private SshCommands(SshHost host, Map<String, String> variables) {
        this.host = host;
        this.home = Path.of(variables.getOrDefault("HOME", "/"));
        this.path = variables.getOrDefault("PATH", "");
        Map<String, String> rest = new TreeMap<>(variables);
        rest.remove("HOME");
        List<String> words = new ArrayList<>(List.of("env"));
        rest.forEach((name, value) -> words.add(name + "=" + value));
        this.surroundings = SshHost.line(words);
    }

    /**
     * Asks a login shell for its surroundings.
     *
     * @param programs that must be there
     * @param alsoInherited which of the variables that are Slurm's a program may see
     * @throws BackendException FBR-155 when a program is missing
     */
    static SshCommands of(SshHost host, List<String> programs, Predicate<String> alsoInherited) {
        List<String> words = new ArrayList<>(List.of("bash", "-l", "-c", WHAT_COUNTS, "fiber"));
        words.addAll(programs);
        Answer answer = host.run("exec " + SshHost.line(words), new byte[0], PROFILE_LIMIT);
        Map<String, String> variables = new TreeMap<>();
        String missing = "";
        Matcher found = VARIABLE.matcher(answer.output());
        while (found.find()) {
            if (found.group(1).equals(MISSING)) {
                missing = missing.isEmpty() ? found.group(2) : missing;
            } else if (!found.group(2).isEmpty()
                    && (!found.group(1).startsWith("SBATCH_") || alsoInherited.test(found.group(1)))) {
                variables.put(found.group(1), found.group(2));
            }
        }
        if (!variables.containsKey("PATH")) {
            throw new BackendException("FBR-155 No login shell could be run on the login node "
                    + host.target().named() + ": 'bash -l' ended with " + answer.exitCode() + ": "
                    + answer.complaint() + ". An account there must be allowed to run commands.");
        }
        if (!missing.isEmpty()) {
            throw SshFailures.withoutSlurm(host.target(), missing, variables.get("PATH"));
        }
        return new SshCommands(host, variables);
    }

    /** Returns the user's own directory there. */
    Path home() {
        return home;
    }

    @Override
    public Answer run(Command command) {
        byte[] input = command.input().getBytes(StandardCharsets.UTF_8);
        return checked(
                host.run(SlurmBackendProvider.UNSET_OPTIONS + "exec " + line(command), input, command.limit()),
                command);
    }

    /** All in one line: what takes longest is the way there and back. */
    @Override
    public Answer runAll(List<Command> commands) {
        StringBuilder lines = new StringBuilder(SlurmBackendProvider.UNSET_OPTIONS + "first=0\n");
        Duration limit = Duration.ZERO;
        for (Command command : commands) {
            lines.append(line(command)).append("\ncode=$?; [ $first -ne 0 ] || first=$code\n");
            limit = limit.plus(command.limit());
        }
        return checked(host.run(lines + "exit $first", new byte[0], limit), commands.get(0));
    }

    private String line(Command command) {
        // Its texts are read, so they must be the ones that are known.
        return surroundings + (command.handsOnItsSurroundings() ? " " : " LC_ALL=C ") + SshHost.line(command.words());
    }

    private Answer checked(Answer answer, Command command) {
        if (answer.exitCode() == NOT_FOUND) {
            throw SshFailures.withoutSlurm(host.target(), command.program(), path);
        }
        return answer;
    }
}
