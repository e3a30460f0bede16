// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import com.jcraft.jsch.ConfigRepository;
import com.jcraft.jsch.OpenSSHConfig;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of OpenSSH. Plain {@code Host} blocks are read here; where it has {@code Include} or {@code Match}, the
 * program {@code ssh} is asked what they come to, for only that knows all of their rules.
 *
 * @param file that was named, or the usual one
 * @param program the file of {@code ssh}
 */
record SshConfig(Path file, Path program) implements ConfigRepository {

    private static final Pattern RULES = Pattern.compile("(?im)^\\s*(Include|Match)[\\s=].*$");
    private static final int LIMIT_SECONDS = 20;

    /**
     * Reads a configuration; none is as good as an empty one.
     *
     * @throws BackendException FBR-158 when it cannot be read, FBR-212 when it takes a program that is not there
     */
    static ConfigRepository read(Path file, Environment environment) {
        if (!Files.isReadable(file)) {
            return ConfigRepository.nullConfig;
        }
        try {
            Matcher rule = RULES.matcher(Files.readString(file));
            if (!rule.find()) {
                return OpenSSHConfig.parseFile(file.toString());
            }
            Path program = LocalCommands.find("ssh", environment)
                    .orElseThrow(
                            () -> new BackendException("FBR-212 The SSH configuration '" + file + "' has the line '"
                                    + rule.group().strip()
                                    + "', which only the program 'ssh' can resolve; it is in no directory of PATH="
                                    + environment.variable("PATH").orElse("")
                                    + ". Install OpenSSH's client here, or name a configuration without Include and Match by"
                                    + " fiber.slurm.ssh-config."));
            return new SshConfig(file, program);
        } catch (IOException e) {
            throw new BackendException("FBR-158 The SSH configuration '" + file + "' cannot be read: " + e, e);
        }
    }

    /** Returns what counts for a host. */
    @Override
    public Config getConfig(String host) {
        Map<String, List<String>> values = new TreeMap<>();
        for (String line : asked(host).lines().toList()) {
            String[] words = line.strip().split("\\s+", 2);
            if (words.length == 2) {
                values.computeIfAbsent(words[0], key -> new ArrayList<>()).add(words[1]);
            }
        }
        return new Effective(values);
    }

    private String asked(String host) {
        try {
            Process process = new ProcessBuilder(program.toString(), "-G", "-F", file.toString(), "--", host)
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new BackendException("FBR-158 The SSH configuration '" + file + "' cannot be read: 'ssh -G -F "
                        + file + " " + host + "' says: " + text.strip());
            }
            return text;
        } catch (IOException e) {
            throw new BackendException("FBR-158 The SSH configuration '" + file + "' cannot be read: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendException("FBR-158 The wait for 'ssh -G' was interrupted.", e);
        }
    }

    /** Answers of {@code ssh -G}, whose keys are in small letters. */
    private record Effective(Map<String, List<String>> values) implements Config {

        @Override
        public @Nullable String getHostname() {
            return getValue("hostname");
        }

        @Override
        public @Nullable String getUser() {
            return getValue("user");
        }

        @Override
        public int getPort() {
            return Integer.parseInt(values.getOrDefault("port", List.of("-1")).get(0));
        }

        @Override
        public @Nullable String getValue(String key) {
            List<String> found = values.get(key.toLowerCase(Locale.ROOT));
            return found == null ? null : found.get(0);
        }

        @Override
        public String[] getValues(String key) {
            return values.getOrDefault(key.toLowerCase(Locale.ROOT), List.of()).toArray(String[]::new);
        }
    }
}
