// SPDX-License-Identifier: Apache-2.0
package io.fiber.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits the comments of a source, or a page in Markdown, into paragraphs of prose without their code. */
final class Paragraphs {
    /** A literal, which is skipped, or a comment; line comments without a gap are one. */
    private static final Pattern COMMENT = Pattern.compile(
            "\"\"\".*?\"\"\"|\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'"
                    + "|(?<comment>/\\*.*?\\*/|//[^\n]*(?:\n[ \t]*//[^\n]*)*)",
            Pattern.DOTALL);

    private static final Pattern CODE_IN_JAVADOC = Pattern.compile("\\{@code [^}]*\\}");

    private static final Pattern BLOCK_IN_JAVADOC = Pattern.compile("<pre>.*?</pre>", Pattern.DOTALL);

    /** What surrounds the text of a comment in its lines. */
    private static final Pattern MARKS = Pattern.compile("^\\s*(?:/\\*\\*?|\\*/|\\*|//)\\s?|\\*/\\s*$");

    private static final Pattern BLOCK_TAG = Pattern.compile("^(?:<[a-z]+>|@(?:param|throws) \\S+|@\\w+)\\s*");

    private static final Pattern CODE_IN_PAGE = Pattern.compile("`[^`]*`");

    private static final Pattern ITEM = Pattern.compile("^(?:#+|>|[-*]|\\d+\\.)(?:\\s+|$)");

    private final List<Paragraph> found = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private int line;

    private Paragraphs() {}

    /** Prose whose lines were joined, and the number of its first line. */
    record Paragraph(int line, String text) {}

    /** Returns the paragraphs of all comments. */
    static List<Paragraph> ofSource(String source) {
        Paragraphs paragraphs = new Paragraphs();
        Matcher match = COMMENT.matcher(source);
        int line = 1;
        int counted = 0;
        while (match.find()) {
            String comment = match.group("comment");
            if (comment != null) {
                line += linesIn(source.substring(counted, match.start()));
                counted = match.start();
                paragraphs.addComment(comment, line);
            }
        }
        return paragraphs.found;
    }

    /** Returns the paragraphs, headings, items and cells of a page. */
    static List<Paragraph> ofPage(String page) {
        Paragraphs paragraphs = new Paragraphs();
        boolean isCode = false;
        int line = 0;
        for (String each : page.split("\n", -1)) {
            line++;
            String shown = each.strip();
            boolean isFence = shown.startsWith("```");
            isCode ^= isFence;
            if (isCode || isFence || shown.isEmpty()) {
                paragraphs.end();
            } else if (shown.startsWith("|")) {
                paragraphs.end();
                for (String cell : shown.split("\\|", -1)) {
                    paragraphs.add(line, cell);
                    paragraphs.end();
                }
            } else {
                Matcher item = ITEM.matcher(shown);
                boolean isItem = item.find();
                if (isItem) {
                    paragraphs.end();
                }
                paragraphs.add(line, isItem ? shown.substring(item.end()) : shown);
            }
        }
        paragraphs.end();
        return paragraphs.found.stream()
                .map(each ->
                        new Paragraph(each.line, CODE_IN_PAGE.matcher(each.text).replaceAll("``")))
                .toList();
    }

    private void addComment(String comment, int first) {
        String prose = BLOCK_IN_JAVADOC.matcher(comment).replaceAll(block -> "\n".repeat(linesIn(block.group())));
        int number = first;
        for (String each : prose.split("\n", -1)) {
            String shown = MARKS.matcher(each).replaceAll("").strip();
            Matcher tag = BLOCK_TAG.matcher(shown);
            boolean isTag = tag.find();
            if (shown.isEmpty() || isTag) {
                end();
            }
            add(number, isTag ? shown.substring(tag.end()) : shown);
            number++;
        }
        end();
    }

    private void add(int number, String words) {
        if (text.isEmpty()) {
            line = number;
        } else {
            text.append(' ');
        }
        text.append(words.strip());
    }

    private void end() {
        if (!text.isEmpty()) {
            found.add(new Paragraph(line, CODE_IN_JAVADOC.matcher(text).replaceAll("``")));
            text.setLength(0);
        }
    }

    private static int linesIn(String part) {
        return (int) part.chars().filter(each -> each == '\n').count();
    }
}
