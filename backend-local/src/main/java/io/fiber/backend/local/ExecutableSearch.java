// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.spi.backend.JobRejectedException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Finds the file of a command's program, as {@code execvp} would.
 *
 * <p>Commands are started through {@code setsid}. Without this search, a program that cannot be executed would only
 * show as exit code 127, after the submission had been accepted.
 *
 * @param name name of the process, for errors
 * @param directory where the process starts; a relative path with a slash is relative to it
 * @param variables environment variables of the process, in addition to those of this one
 */
record ExecutableSearch(String name, Path directory, Map<String, String> variables) {

    private static final int LONGEST_INTERPRETER_LINE = 256;

    /**
     * Returns the word that starts the program: its absolute path, or on Windows the word itself.
     *
     * @throws JobRejectedException if there is no such program or it cannot be executed
     */
    String find(String word) {
        if (File.separatorChar == '\\') {
            return word;
        }
        if (word.indexOf('/') >= 0) {
            return checked(word, directory.resolve(word));
        }
        String path = variables.getOrDefault("PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
        for (String entry : path.split(":", -1)) {
            Path candidate = directory.resolve(entry).resolve(word);
            if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                return checked(word, candidate);
            }
        }
        throw rejected(word, "no directory of its PATH (" + path + ") holds an executable file of that name");
    }

    private String checked(String word, Path file) {
        if (!Files.exists(file)) {
            throw rejected(word, "there is no file '" + file + "'");
        }
        if (!Files.isRegularFile(file)) {
            throw rejected(word, "'" + file + "' is not a file");
        }
        if (!Files.isExecutable(file)) {
            throw rejected(word, "'" + file + "' is not executable by this user");
        }
        String interpreter = interpreter(file);
        if (!interpreter.isEmpty() && !Files.isExecutable(directory.resolve(interpreter))) {
            throw rejected(
                    word, "its first line names the interpreter '" + interpreter + "', which cannot be executed");
        }
        return file.toString();
    }

    /** Returns what follows {@code #!}; empty if there is none or the file cannot be read. */
    private static String interpreter(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            String start = new String(in.readNBytes(LONGEST_INTERPRETER_LINE), StandardCharsets.ISO_8859_1);
            if (!start.startsWith("#!")) {
                return "";
            }
            String line = start.substring(2).lines().findFirst().orElse("").strip();
            int blank = 0;
            while (blank < line.length() && !Character.isWhitespace(line.charAt(blank))) {
                blank++;
            }
            return line.substring(0, blank);
        } catch (IOException e) {
            return "";
        }
    }

    private JobRejectedException rejected(String word, String reason) {
        return new JobRejectedException("Process '" + name + "' cannot be started: the program '" + word
                + "' cannot be executed, because " + reason + ". Correct the command, or install the program.");
    }
}
