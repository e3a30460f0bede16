// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import io.fiber.ConfigurationException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Parses files with lines {@code key = value}, blank lines, and comment lines that begin with {@code #}. A value is
 * taken literally, without quotes, escapes or continuation lines. Stateless.
 */
public final class ConfigFile {

    static final String NAME = ".fiberconfig";
    private static final long LIMIT_BYTES = 1 << 20;
    private static final int WRITABLE_BY_OTHERS = 0_002;

    private ConfigFile() {}

    /** A line that sets something; {@code number} counts from one, and {@code key} is without {@code fiber.}. */
    record Line(String key, String value, int number) {}

    /**
     * Parses lines {@code key = value} into a map in their order.
     *
     * @param name the name of the text in errors
     * @throws ConfigurationException FBR-122 for each line that is something else, or sets a key again
     */
    public static Map<String, String> parse(String name, String text) {
        Map<String, String> values = new LinkedHashMap<>();
        for (Line line : lines(name, text)) {
            values.put(line.key(), line.value());
        }
        return values;
    }

    static List<Line> lines(String name, String text) {
        List<String> faults = new ArrayList<>();
        Map<String, Line> lines = new LinkedHashMap<>();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            String content = line.strip();
            number++;
            if (content.isEmpty() || content.startsWith("#")) {
                continue;
            }
            int equals = content.indexOf('=');
            String key = equals < 0
                    ? ""
                    : ConfigSources.withoutPrefix(content.substring(0, equals).strip());
            String value = content.substring(equals + 1).strip();
            if (key.isEmpty() || value.isEmpty()) {
                // Not the line itself: it may contain a secret, and this text is logged.
                faults.add("FBR-122 " + name + " line " + number + " is not of the form 'key = value'. Comments begin"
                        + " with '#'.");
                continue;
            }
            Line earlier = lines.putIfAbsent(key, new Line(key, value, number));
            if (earlier != null) {
                faults.add("FBR-122 " + name + " line " + number + " sets '" + key + "', which line " + earlier.number()
                        + " sets already. Remove one of them.");
            }
        }
        if (!faults.isEmpty()) {
            throw new ConfigurationException(String.join("\n", faults));
        }
        return List.copyOf(lines.values());
    }

    /** Reads a file that the user named: it must exist, and any owner is allowed because the user chose it. */
    static List<Line> readNamed(Path file, Origin origin) {
        if (!Files.isRegularFile(file)) {
            throw new ConfigurationException("FBR-123 The settings file '" + file + "' (from " + origin
                    + ") does not exist or is not a file. Create it, or remove the setting 'config'.");
        }
        refuseStrangers(file, false);
        return lines(file.toString(), read(file));
    }

    /** Reads the file of a working directory: it may be missing, but another user must not decide what runs here. */
    static List<Line> readFound(Path file) {
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        refuseStrangers(file, true);
        return lines(file.toString(), read(file));
    }

    private static String read(Path file) {
        try {
            long sizeBytes = Files.size(file);
            if (sizeBytes > LIMIT_BYTES) {
                throw new ConfigurationException("FBR-123 The settings file " + file + " has " + sizeBytes
                        + " bytes; at most " + LIMIT_BYTES + " are read. Is it another kind of file?");
            }
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new ConfigurationException(
                    "FBR-123 The settings file " + file + " is not UTF-8 text. Save it as UTF-8.", e);
        } catch (IOException e) {
            throw new ConfigurationException(
                    "FBR-123 The settings file " + file + " cannot be read: " + e + ". Make it readable, or remove it.",
                    e);
        }
    }

    private static void refuseStrangers(Path file, boolean isFound) {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return;
        }
        try {
            if (((int) Files.getAttribute(file, "unix:mode") & WRITABLE_BY_OTHERS) != 0) {
                throw new ConfigurationException("FBR-124 The settings file " + file
                        + " can be written by every user, and it decides which programs are started. Run: chmod"
                        + " o-w " + file);
            }
            Path self = Path.of("/proc/self");
            Object owner = Files.getAttribute(file, "unix:uid");
            if (isFound
                    && Files.exists(self)
                    && !owner.equals(0)
                    && !owner.equals(Files.getAttribute(self, "unix:uid"))) {
                throw new ConfigurationException("FBR-124 The settings file " + file + " belongs to another user"
                        + " (uid " + owner + "), and it decides which programs are started. If you trust it, name it:"
                        + " FIBER_CONFIG=" + file);
            }
        } catch (IOException e) {
            throw new ConfigurationException(
                    "FBR-123 The permissions and the owner of the settings file " + file + " cannot be read: " + e
                            + ".",
                    e);
        }
    }
}
