// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.batch.BatchScript;
import io.fiber.backend.support.batch.SharedFolder;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What would be sent, as lines that a shell takes. */
final class Preview {

    private static final String END = "END_OF_JOB";

    private Preview() {}

    /** Returns the line that submits a script, with the script. */
    static String array(List<String> sbatch, List<String> words, String script) {
        return Stream.concat(sbatch.stream(), words.stream())
                        .map(each -> word(each) + " ")
                        .collect(Collectors.joining())
                + document(script);
    }

    /** Returns the lines that write a script and start its steps. */
    static String steps(String script, SharedFolder.Part part, List<List<String>> lines) {
        return "cat >" + word(part.script().toString()) + " " + document(script)
                + lines.stream()
                        .map(line -> line.stream().map(Preview::word).collect(Collectors.joining(" ")) + " &\n")
                        .collect(Collectors.joining());
    }

    private static String document(String script) {
        return "<<'" + END + "'\n" + script + (script.endsWith("\n") ? "" : "\n") + END + "\n";
    }

    /** Returns a word as a user would write it for a shell. */
    static String word(String word) {
        return word.matches("[A-Za-z0-9_./:,=@%+-]+") ? word : BatchScript.quoted(word);
    }
}
