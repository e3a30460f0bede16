// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import io.fiber.ConfigurationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads files of lines {@code key = value}, blank lines, and comment lines that begin with {@code #}. A value is taken as
 * it stands: no quotes, escapes or continued lines. Stateless.
 */
public final class ConfigFile {

    static final String NAME = ".fiberconfig";
    private static final long LIMIT_BYTES = 1 << 20;

    private ConfigFile() {}

    /** A line that sets something; {@code number} counts from one, {@code key} is without {@code fiber.}. */
    record Line(String key, String value, int number) {}

    /**
     * Reads lines {@code key = value} into a map in their order.
     *
     * @param name how errors call the text
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
        int start = 0;
        while (start < text.length()) {
            int newline = text.indexOf('\n', start);
            int end = newline < 0 ? text.length() : newline;
            String content = text.substring(start, end).strip();
            start = end + 1;
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
                // Not the line itself: it may hold a secret, and this text goes to logs.
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

    /** Reads a file that the user named: it must exist, and whose it is was the user's decision. */
    static List<Line> readNamed(Path file, Origin origin) {
        if (!Files.isRegularFile(file)) {
            throw new ConfigurationException("FBR-123 The settings file '" + file + "' (from " + origin
                    + ") does not exist or is not a file. Create it, or remove the setting 'config'.");
        }
        refuseWritableByOthers(file);
        return lines(file.toString(), read(file));
    }

    /** Reads the file of a working directory: absent is fine, but another user must not decide what is run here. */
    static List<Line> readFound(Path file) {
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        refuseWritableByOthers(file);
        refuseOtherOwner(file);
        return lines(file.toString(), read(file));
    }

    private static String read(Path file) {
        try {
            long sizeBytes = Files.size(file);
            if (sizeBytes > LIMIT_BYTES) {
                throw new ConfigurationException("FBR-123 The settings file " + file + " has " + sizeBytes
                        + " bytes; at most " + LIMIT_BYTES + " are read. Is it another kind of file?");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ConfigurationException(
                    "FBR-123 The settings file " + file + " is not UTF-8 text. Save it as UTF-8.", e);
        } catch (IOException e) {
            throw new ConfigurationException(
                    "FBR-123 The settings file " + file + " cannot be read: " + e + ". Make it readable, or remove it.",
                    e);
        }
    }

    private static void refuseWritableByOthers(Path file) {
        try {
            if (isPosix(file)) {
                Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
                if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
                    throw new ConfigurationException("FBR-124 The settings file " + file
                            + " can be written by every user, and it decides which programs are started. Run: chmod"
                            + " o-w " + file);
                }
            }
        } catch (IOException e) {
            throw new ConfigurationException(
                    "FBR-123 The permissions of the settings file " + file + " cannot be read: " + e + ".", e);
        }
    }

    private static void refuseOtherOwner(Path file) {
        Path self = Path.of("/proc/self");
        try {
            if (!isPosix(file) || !Files.exists(self)) {
                return;
            }
            Object owner = Files.getAttribute(file, "unix:uid");
            if (!owner.equals(0) && !owner.equals(Files.getAttribute(self, "unix:uid"))) {
                throw new ConfigurationException("FBR-124 The settings file " + file + " belongs to another user"
                        + " (uid " + owner + "), and it decides which programs are started. If you trust it, name it:"
                        + " FIBER_CONFIG=" + file);
            }
        } catch (IOException e) {
            throw new ConfigurationException(
                    "FBR-123 The owner of the settings file " + file + " cannot be read: " + e + ".", e);
        }
    }

    private static boolean isPosix(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("unix");
    }
}
