// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.spi.backend.Program;
import java.util.List;
import java.util.Locale;

/** Derives the default name of a run from its jar, its main class or its program. */
public final class RunName {

    private static final String OF_NONE = "main";
    private static final int GREATEST_LENGTH = 63;
    private static final String JAR = "-jar";

    private RunName() {}

    /**
     * Returns a name that every platform accepts: {@code pi-estimation} for the class {@code my.PiEstimation}.
     *
     * @param words the command line of the program
     */
    public static String of(Program program, List<String> words) {
        String name = told(program, words)
                .replaceAll("([a-z0-9])([A-Z])", "$1-$2")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-");
        String cut = name.substring(0, Math.min(name.length(), GREATEST_LENGTH)).replaceAll("^-|-$", "");
        return cut.isEmpty() ? OF_NONE : cut;
    }

    /** Returns another name for the same run, with a number: {@code pi-estimation-2}. */
    static String withNumber(String name, int number) {
        String end = "-" + number;
        return name.substring(0, Math.min(name.length(), GREATEST_LENGTH - end.length())) + end;
    }

    private static String told(Program program, List<String> words) {
        if (program instanceof Program.Java java) {
            int jar = words.indexOf(JAR) + 1;
            return jar > 0 && jar < words.size() - java.arguments().size()
                    ? last(words.get(jar), '/').replaceFirst("\\.jar$", "")
                    : last(last(last(java.main(), '/'), '.'), '$');
        }
        return last(words.get(0), '/');
    }

    private static String last(String text, char separator) {
        return text.substring(text.lastIndexOf(separator) + 1);
    }
}
