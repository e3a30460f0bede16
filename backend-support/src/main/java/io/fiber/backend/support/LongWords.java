// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import java.io.File;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The command of a Java program whose paths are too long for the system. Linux accepts 128 KiB a word, and Windows 32
 * Ki characters for all words. A class path of a thousand jars in the caches of build tools is longer. Java reads such
 * paths from an argument file. Immutable.
 *
 * @param words the command, with the name of the file in place of the paths
 * @param content the content of the file
 */
public record LongWords(List<String> words, String content) {

    /** The longest word that Linux accepts; the final zero byte counts, too. */
    public static final int MOST_BYTES = (128 << 10) - 1;

    private static final boolean WINDOWS = File.separatorChar == '\\';
    private static final int WINDOWS_MOST_CHARACTERS = 30_000;
    private static final int SHOWN = 200;

    public LongWords {
        words = List.copyOf(words);
    }

    /** Returns whether a command has words that the system does not accept. */
    public static boolean areIn(List<String> command, Charset charset) {
        int characters = 0;
        for (String word : command) {
            characters += word.length() + 1;
            // No charset of a system has more than four bytes a character.
            if (word.length() > MOST_BYTES / 4 && word.getBytes(charset).length > MOST_BYTES) {
                return true;
            }
        }
        return WINDOWS && characters > WINDOWS_MOST_CHARACTERS;
    }

    /**
     * Moves the paths of a Java program's command to an argument file.
     *
     * @param options where options of the JVM begin in the command
     * @param file the word that names the argument file, including its {@code @}
     */
    public static LongWords of(List<String> command, int options, String file) {
        List<String> words = new ArrayList<>();
        StringBuilder content = new StringBuilder();
        Iterator<String> rest = command.iterator();
        for (int i = 0; rest.hasNext(); i++) {
            String word = rest.next();
            boolean isOption = word.equals("-cp") || word.equals("--module-path");
            if (i < options || !isOption || !rest.hasNext()) {
                words.add(word);
                continue;
            }
            if (content.length() == 0) {
                words.add(file);
            }
            content.append(word).append(" \"");
            content.append(rest.next().replace("\\", "\\\\").replace("\"", "\\\""));
            content.append("\"\n");
        }
        return new LongWords(words, content.toString());
    }

    /** Returns a command for a message, with long words cut. */
    public static List<String> shown(List<String> command) {
        return command.stream()
                .map(word -> word.length() <= 2 * SHOWN
                        ? word
                        : word.substring(0, SHOWN) + "... (" + word.length() + " characters)")
                .toList();
    }
}
