// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the configuration of SSH where the program cannot be asked what it says. */
final class SshConfigFile {

    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|#.*|([^\\s\"]+)");
    private static final Set<String> LISTS = Set.of("identityfile", "certificatefile");
    private static final int DEEPEST = 16;

    private final Map<String, List<String>> values = new TreeMap<>();
    private final SshOptions options;

    SshConfigFile(SshOptions options) {
        this.options = options;
        options.text(SshOptions.USER).ifPresent(user -> put("user", List.of(user)));
        options.text(SshOptions.PORT).ifPresent(port -> put("port", List.of(port)));
        options.text(SshOptions.KEY).ifPresent(file -> put("identityfile", List.of(SshOptions.escaped(file))));
        Optional<Path> config = options.text(SshOptions.CONFIG).map(Path::of);
        for (Path file : config.isPresent()
                ? List.of(config.get())
                : List.of(SshConfig.HOME.resolve(".ssh/config"), Path.of("/etc/ssh/ssh_config"))) {
            read(file, 0);
        }
    }

    /** Returns what is said about the host. */
    Map<String, List<String>> values() {
        return values;
    }

    private void put(String directive, List<String> words) {
        if (LISTS.contains(directive)) {
            values.computeIfAbsent(directive, name -> new ArrayList<>()).addAll(words);
        } else {
            values.putIfAbsent(directive, words);
        }
    }

    private void read(Path file, int depth) {
        if (!Files.exists(file)) {
            return;
        }
        try {
            boolean isOfTheHost = true;
            int number = 0;
            for (String line : Files.readAllLines(file)) {
                number++;
                // The first word may be followed by an equals sign.
                List<String> words = words(line.strip().replaceFirst("^(\\w+)\\s*=", "$1 "));
                if (words.isEmpty()) {
                    continue;
                }
                String directive = words.get(0).toLowerCase(Locale.ROOT);
                List<String> rest = words.subList(1, words.size());
                if (directive.equals("host")) {
                    isOfTheHost = matches(rest, options.host());
                } else if (directive.equals("match")) {
                    isOfTheHost = holds(rest, "'" + line.strip() + "' (" + file + ", line " + number + ")");
                } else if (isOfTheHost && directive.equals("include") && depth < DEEPEST) {
                    for (String each : rest) {
                        included(each).forEach(other -> read(other, depth + 1));
                    }
                } else if (isOfTheHost) {
                    put(directive, directive.equals("proxycommand") ? List.of(String.join(" ", rest)) : rest);
                }
            }
        } catch (IOException e) {
            throw new BackendException("FBR-158 The configuration of ssh cannot be read: " + e, e);
        }
    }

    static List<String> words(String line) {
        return WORD.matcher(line)
                .results()
                .filter(found -> !found.group().startsWith("#"))
                .map(found -> Optional.ofNullable(found.group(1)).orElse(found.group()))
                .toList();
    }

    private boolean holds(List<String> conditions, String where) {
        boolean isMatch = true;
        for (int i = 0; i < conditions.size(); i += 2) {
            String condition = conditions.get(i).toLowerCase(Locale.ROOT);
            if (condition.equals("all")) {
                continue;
            }
            boolean isAddress = condition.equals("host");
            if ((!isAddress && !condition.equals("originalhost")) || i + 1 == conditions.size()) {
                throw new BackendException("FBR-212 The SSH configuration has " + where
                        + ", and only the program 'ssh' can tell whether that holds; it is not on the PATH."
                        + " Install OpenSSH's client here, write 'Host' or 'Match host' instead, or name a configuration"
                        + " without this line by fiber.slurm.ssh-config.");
            }
            String name = isAddress
                    ? values.getOrDefault("hostname", List.of("%h")).get(0).replace("%h", options.host())
                    : options.host();
            isMatch &= matches(List.of(conditions.get(i + 1).split(",")), name);
        }
        return isMatch;
    }

    private static boolean matches(List<String> patterns, String name) {
        boolean isMatch = false;
        for (String each : patterns) {
            boolean isNot = each.startsWith("!");
            String regex = Stream.of((isNot ? each.substring(1) : each).split("(?=[*?])|(?<=[*?])"))
                    .map(part -> part.equals("*") ? ".*" : part.equals("?") ? "." : Pattern.quote(part))
                    .reduce("", String::concat);
            if (name.matches(regex)) {
                if (isNot) {
                    return false;
                }
                isMatch = true;
            }
        }
        return isMatch;
    }

    private static List<Path> included(String text) throws IOException {
        String home = Matcher.quoteReplacement(SshConfig.HOME + "/");
        Path pattern = SshConfig.HOME.resolve(".ssh").resolve(text.replaceFirst("^~/", home));
        Path parent = Optional.ofNullable(pattern.getParent()).orElse(pattern);
        if (!Files.isDirectory(parent)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(parent)) {
            String name = String.valueOf(pattern.getFileName());
            return files.filter(file -> matches(List.of(name), String.valueOf(file.getFileName())))
                    .sorted()
                    .toList();
        }
    }
}
