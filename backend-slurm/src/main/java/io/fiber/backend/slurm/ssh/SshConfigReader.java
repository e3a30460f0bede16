// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads what files of OpenSSH's configuration say about a host. The first value of a directive counts, as for {@code ssh}.
 * Used by one thread.
 */
final class SshConfigReader {

    /** Lists of algorithms, which jsch reads as OpenSSH does. */
    static final List<String> ALGORITHMS =
            List.of("kexalgorithms", "hostkeyalgorithms", "ciphers", "macs", "pubkeyacceptedalgorithms");

    /** Directives that are followed. */
    static final Set<String> FOLLOWED = words("""
            connecttimeout globalknownhostsfile hostkeyalias hostname identitiesonly identityagent identityfile port proxyjump
            user userknownhostsfile kexalgorithms hostkeyalgorithms ciphers macs pubkeyacceptedalgorithms""");

    /** Directives that mean nothing to the lines of a shell, or that Fiber sets itself. */
    static final Set<String> WITHOUT_EFFECT = words("""
            addkeystoagent batchmode canonicaldomains canonicalizefallbacklocal canonicalizemaxdots
            canonicalizepermittedcnames casignaturealgorithms channeltimeout checkhostip clearallforwardings compression
            connectionattempts controlmaster controlpath controlpersist dynamicforward enableescapecommandline
            enablesshkeysign escapechar exitonforwardfailure fingerprinthash forkafterauthentication forwardagent forwardx11
            forwardx11timeout forwardx11trusted gatewayports gssapidelegatecredentials hashknownhosts
            hostbasedacceptedalgorithms ignoreunknown ipqos kbdinteractiveauthentication kbdinteractivedevices localcommand
            localforward loglevel logverbose nohostauthenticationforlocalhost numberofpasswordprompts
            obscurekeystroketiming passwordauthentication permitlocalcommand permitremoteopen preferredauthentications
            proxyusefdpass pubkeyauthentication refuseconnection rekeylimit remotecommand remoteforward requesttty
            requiredrsasize sendenv serveralivecountmax serveraliveinterval sessiontype stdinnull streamlocalbindmask
            streamlocalbindunlink stricthostkeychecking syslogfacility tag tcpkeepalive updatehostkeys visualhostkey
            warnweakcrypto xauthlocation challengeresponseauthentication pubkeyacceptedkeytypes useroaming""");

    private static final Set<String> OFF = Set.of("no", "none", "any", "false");
    private static final Set<String> WORDS = Set.of("userknownhostsfile", "globalknownhostsfile");
    private static final Path SYSTEM = Path.of("/etc/ssh/ssh_config");
    private static final Pattern LINE = Pattern.compile("\\s*([A-Za-z0-9]+)(?:\\s*=\\s*|\\s+)(.*?)\\s*");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|([^\\s\"]+)");
    private static final int DEEPEST_INCLUDE = 16;

    private final Path own;
    private final String host;
    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private Optional<String> program = Optional.empty();
    private boolean isFinal;

    /**
     * Creates a reader.
     *
     * @param own the directory {@code .ssh} of the user
     * @param host its name, as the user wrote it
     */
    SshConfigReader(Path own, String host) {
        this.own = own;
        this.host = host;
    }

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+"));
    }

    /** Sets a value that counts before those of files. */
    void given(String directive, String value) {
        values.computeIfAbsent(directive, any -> new ArrayList<>()).add(value);
    }

    /** Reads the file that the user names, or the usual ones. Blocks for {@code Match final} are read last. */
    void read(Optional<Path> named) {
        for (boolean isLast : List.of(false, true)) {
            isFinal = isLast;
            if (named.isPresent()) {
                read(named.get(), true, 0);
            } else {
                read(own.resolve("config"), true, 0);
                read(SYSTEM, true, 0);
            }
        }
    }

    Map<String, List<String>> values() {
        return values;
    }

    /** Returns the first directive that only the program can follow, with its file. */
    Optional<String> program() {
        return program;
    }

    private void read(Path file, boolean isMeant, int depth) {
        if (!Files.isReadable(file)) {
            return;
        }
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new BackendException("FBR-158 The SSH configuration '" + file + "' cannot be read: " + e, e);
        }
        boolean isActive = isMeant;
        for (String text : lines) {
            Matcher line = LINE.matcher(text);
            if (!line.matches()) {
                continue;
            }
            String directive = line.group(1).toLowerCase(Locale.ROOT);
            List<String> words = split(line.group(2));
            switch (directive) {
                case "host" -> isActive = isMeant && matches(words, host);
                case "match" -> isActive = isMeant && match(words, file);
                case "include" -> include(words, file, isActive, depth);
                default -> {
                    if (isActive && !words.isEmpty()) {
                        add(directive, words, line.group(1) + " " + line.group(2), file);
                    }
                }
            }
        }
    }

    private static List<String> split(String text) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(text);
        while (word.find()) {
            String found = word.group(1) == null ? word.group(2) : word.group(1);
            if (word.group(1) == null && found.startsWith("#")) {
                break;
            }
            words.add(found);
        }
        return words;
    }

    private void include(List<String> words, Path file, boolean isActive, int depth) {
        if (depth == DEEPEST_INCLUDE) {
            throw new BackendException(
                    "FBR-158 The SSH configuration '" + file + "' includes files that include others," + " more than "
                            + DEEPEST_INCLUDE + " deep. Look for a circle of Include.");
        }
        for (String word : words) {
            Path base = file.startsWith(SYSTEM.getParent()) ? file.getParent() : own;
            String plain = word.startsWith("~/")
                    ? own.resolveSibling(word.substring(2)).toString()
                    : word;
            for (Path other : matching(Objects.requireNonNull(base).resolve(plain))) {
                read(other, isActive, depth + 1);
            }
        }
    }

    /** Returns the files that a path stands for whose last part may have wildcards. */
    static List<Path> matching(Path pattern) {
        Path directory = pattern.getParent();
        String name = String.valueOf(pattern.getFileName());
        if (!name.matches(".*[*?\\[].*")) {
            return List.of(pattern);
        }
        Pattern glob = glob(name);
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file ->
                            glob.matcher(String.valueOf(file.getFileName())).matches())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static Pattern glob(String pattern) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char each = pattern.charAt(i);
            regex.append(each == '*' ? ".*" : each == '?' ? "." : Pattern.quote(String.valueOf(each)));
        }
        return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    }

    private static boolean matches(List<String> patterns, String text) {
        boolean isFound = false;
        for (String pattern : patterns) {
            boolean isNot = pattern.startsWith("!");
            if (glob(isNot ? pattern.substring(1) : pattern).matcher(text).matches()) {
                if (isNot) {
                    return false;
                }
                isFound = true;
            }
        }
        return isFound;
    }

    /** Evaluates conditions from left to right; what only the program knows is asked last. */
    private boolean match(List<String> words, Path file) {
        boolean isMet = true;
        for (int i = 0; i < words.size() && isMet; i++) {
            String word = words.get(i).toLowerCase(Locale.ROOT);
            boolean isNot = word.startsWith("!");
            String condition = isNot ? word.substring(1) : word;
            boolean isTrue;
            switch (condition) {
                case "all" -> isTrue = true;
                case "final" -> isTrue = isFinal;
                // Names are canonicalized by the program alone.
                case "canonical" -> isTrue = false;
                default -> {
                    i++;
                    String argument = i < words.size() ? words.get(i) : "";
                    List<String> patterns = List.of(argument.split(",", -1));
                    switch (condition) {
                        case "host" ->
                            isTrue = matches(patterns, first("hostname", host).replace("%h", host));
                        case "originalhost" -> isTrue = matches(patterns, host);
                        case "user" -> isTrue = matches(patterns, first("user", System.getProperty("user.name")));
                        case "localuser" -> isTrue = matches(patterns, System.getProperty("user.name"));
                        default -> {
                            needsProgram("Match " + words.get(i - 1) + " " + argument, file);
                            isTrue = isNot;
                        }
                    }
                }
            }
            isMet = isTrue != isNot;
        }
        return isMet;
    }

    private String first(String directive, String otherwise) {
        return values.getOrDefault(directive, List.of(otherwise)).get(0);
    }

    private void add(String directive, List<String> words, String shown, Path file) {
        List<String> known = values.get(directive);
        // ssh takes the first of the two.
        boolean isOvertaken = (directive.equals("proxycommand") && values.containsKey("proxyjump"))
                || (directive.equals("proxyjump") && values.containsKey("proxycommand"));
        if (isOvertaken || (known != null && !directive.equals("identityfile"))) {
            return;
        }
        List<String> fresh = WORDS.contains(directive) ? words : List.of(String.join(" ", words));
        List<String> all = values.computeIfAbsent(directive, any -> new ArrayList<>());
        fresh.stream().filter(value -> !all.contains(value)).forEach(all::add);
        if (isForTheProgram(directive, words.get(0).toLowerCase(Locale.ROOT), file)) {
            needsProgram(shown, file);
        }
    }

    private boolean isForTheProgram(String directive, String value, Path file) {
        // Distributions switch GSSAPI on for everybody, so that only a line of the user's own means something.
        boolean isOfTheSystem = directive.startsWith("gssapi") && file.startsWith(SYSTEM.getParent());
        return switch (directive) {
            case "pubkeyauthentication" -> value.equals("no");
            case "preferredauthentications" -> !value.contains("publickey");
            default ->
                !isOfTheSystem
                        && !OFF.contains(value)
                        && !FOLLOWED.contains(directive)
                        && !WITHOUT_EFFECT.contains(directive)
                        && !matches(List.of(first("ignoreunknown", "").split("[,\\s]+")), directive);
        };
    }

    private void needsProgram(String shown, Path file) {
        if (program.isEmpty()) {
            program = Optional.of("'" + shown + "' (in " + file + ")");
        }
    }
}
