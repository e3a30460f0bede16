// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import java.io.File;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The command of a Java program whose paths are too long for the system: Linux takes 128 KiB a word, Windows 32 Ki characters
 * for all words, and a class path of some thousand jars in the caches of build tools is longer. Java reads them from an
 * argument file. Immutable.
 *
 * @param words the command, with the name of the file in the place of the paths
 * @param content what belongs into the file
 */
public record LongWords(List<String> words, String content) {

    /** The longest word that Linux takes; it counts the byte that ends a word, too. */
    public static final int MOST_BYTES = (128 << 10) - 1;

    private static final boolean WINDOWS = File.separatorChar == '\\';
    private static final int WINDOWS_MOST_CHARACTERS = 30_000;
    private static final int SHOWN = 200;

    public LongWords {
        words = List.copyOf(words);
    }

    /** Returns whether a command has words that the system does not take. */
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
     * Takes the paths out of the command of a Java program.
     *
     * @param options where options of the JVM begin in the command
     * @param file the word that names the argument file, with its {@code @}
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

    /** Returns a command for a message: of a long word, its beginning. */
    public static List<String> shown(List<String> command) {
        return command.stream()
                .map(word -> word.length() <= 2 * SHOWN
                        ? word
                        : word.substring(0, SHOWN) + "... (" + word.length() + " characters)")
                .toList();
    }
}
