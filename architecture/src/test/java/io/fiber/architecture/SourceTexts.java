// SPDX-License-Identifier: Apache-2.0
package io.fiber.architecture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The texts in sources: those that are composed, and the words that are looked for in a text. Literals are known, and
 * constants by their name and class. What a variable, a list or an enum's field holds is not known.
 */
final class SourceTexts {
    /** Calls whose argument is a part of a text. */
    private static final Set<String> PLAIN =
            Set.of("contains", "startsWith", "endsWith", "indexOf", "lastIndexOf", "equals", "equalsIgnoreCase");

    /** Calls whose first argument is a regular expression. */
    private static final Set<String> REGULAR = Set.of("matches", "compile", "split", "replaceFirst", "replaceAll");

    /** A literal; a character or a comment, which are skipped; a name; or another sign. */
    private static final Pattern TOKEN = Pattern.compile(
            "\"\"\"(?<block>.*?)\"\"\"|\"(?<literal>(?:[^\"\\\\\n]|\\\\.)*)\""
                    + "|'(?:[^'\\\\\n]|\\\\.)*'|/\\*.*?\\*/|//[^\n]*|(?<name>[A-Za-z_]\\w*)|(?<sign>[^\\s\\w])",
            Pattern.DOTALL);

    private static final Pattern ESCAPE = Pattern.compile("\\\\(.)", Pattern.DOTALL);
    private static final Pattern CONSTANT = Pattern.compile("[A-Z][A-Z0-9_]+");

    /** What stands between the fixed parts of a regular expression. */
    private static final Pattern NOT_FIXED = Pattern.compile("\\\\[A-Za-z]|[\\]\\[(){}|*+?^$]|(?<!\\\\)\\.");

    /** Shorter parts are found in any sentence. */
    private static final int LEAST_CHARS = 5;

    private final Map<String, String> constants = new HashMap<>();
    private final List<Use> uses = new ArrayList<>();
    private final List<Place> composed = new ArrayList<>();
    private final List<Place> lookedFor = new ArrayList<>();

    /** A text, or a part of one, and where it stands. */
    record Place(String file, int line, String text) {}

    /** Words that are looked for, and a text that contains them. */
    record ReadBack(Place words, Place text) {}

    /** A constant in a call, or elsewhere if the call is empty. */
    private record Use(Place constant, String call) {}

    private record Token(Kind kind, String text, int line) {}

    private enum Kind {
        LITERAL,
        NAME,
        SIGN,
        NONE
    }

    /** Creates the texts of sources, by the paths of their files. */
    SourceTexts(Map<String, String> sources) {
        sources.forEach((file, source) -> new Scan(file, tokens(source)).run());
        for (Use use : uses) {
            Place constant = use.constant();
            Optional.ofNullable(constants.get(constant.text()))
                    .ifPresent(text -> add(new Place(constant.file(), constant.line(), text), use.call()));
        }
    }

    /** Returns the words that are looked for and are a part of a composed text, with one such text each. */
    List<ReadBack> readBack() {
        return lookedFor.stream()
                .flatMap(words -> composed.stream()
                        .filter(text -> text.text().contains(words.text()))
                        .limit(1)
                        .map(text -> new ReadBack(words, text)))
                .toList();
    }

    private void add(Place place, String call) {
        if (call.isEmpty()) {
            composed.add(place);
            return;
        }
        Stream<String> parts = PLAIN.contains(call)
                ? Stream.of(place.text())
                : Arrays.stream(NOT_FIXED.split(place.text(), -1)).map(SourceTexts::unescaped);
        parts.filter(part -> isOfSentences(part, call))
                .map(part -> new Place(place.file(), place.line(), part))
                .forEach(lookedFor::add);
    }

    /** Words with a blank belong to sentences. A code may be compared as a whole. */
    private static boolean isOfSentences(String part, String call) {
        boolean isWords = part.length() >= LEAST_CHARS
                && part.indexOf(' ') >= 0
                && part.chars().anyMatch(Character::isLetter);
        return isWords || (part.contains("FBR-") && !call.equals("equals"));
    }

    private static String unescaped(String text) {
        return ESCAPE.matcher(text)
                .replaceAll(match -> match.group(1).equals("n") ? "\n" : Matcher.quoteReplacement(match.group(1)));
    }

    private static List<Token> tokens(String source) {
        List<Token> tokens = new ArrayList<>();
        Matcher match = TOKEN.matcher(source);
        int line = 1;
        int counted = 0;
        while (match.find()) {
            for (; counted < match.start(); counted++) {
                line += source.charAt(counted) == '\n' ? 1 : 0;
            }
            String literal = match.group("literal") == null ? match.group("block") : match.group("literal");
            if (literal != null) {
                tokens.add(new Token(Kind.LITERAL, unescaped(literal), line));
            } else if (match.group("name") != null) {
                tokens.add(new Token(Kind.NAME, match.group("name"), line));
            } else if (match.group("sign") != null) {
                tokens.add(new Token(Kind.SIGN, match.group("sign"), line));
            }
        }
        return tokens;
    }

    /** One way through a source. */
    private final class Scan {
        private final String file;
        private final List<Token> tokens;
        private final Deque<String> calls = new ArrayDeque<>();
        private int at;

        Scan(String file, List<Token> tokens) {
            this.file = file;
            this.tokens = tokens;
        }

        void run() {
            for (; at < tokens.size(); at++) {
                Token token = tokens.get(at);
                if (token.kind() == Kind.LITERAL) {
                    takeText(token);
                } else if (token.kind() == Kind.NAME
                        && CONSTANT.matcher(token.text()).matches()) {
                    takeConstant(token);
                } else if ("([{".contains(token.text())) {
                    calls.push(token.text().equals("(") && sign(at - 2).equals(".") ? text(at - 1) : "");
                } else if (")]}".contains(token.text()) && !calls.isEmpty()) {
                    calls.pop();
                }
            }
        }

        /** Literals with a plus between them are one text. */
        private void takeText(Token token) {
            int first = at;
            StringBuilder text = new StringBuilder(token.text());
            while (sign(at + 1).equals("+") && kind(at + 2) == Kind.LITERAL) {
                at += 2;
                text.append(text(at));
            }
            String name = text(first - 2);
            boolean isConstant = sign(first - 1).equals("=")
                    && sign(at + 1).equals(";")
                    && text(first - 3).equals("String")
                    && CONSTANT.matcher(name).matches();
            if (isConstant) {
                constants.put(file + "." + name, text.toString());
                constants.put(file.replaceFirst(".*/", "").replaceFirst("java$", name), text.toString());
            } else {
                add(new Place(file, token.line(), text.toString()), call(first));
            }
        }

        private void takeConstant(Token token) {
            boolean isQualified = sign(at - 1).equals(".");
            if (!sign(at + 1).equals("=")) {
                String name = (isQualified ? text(at - 2) : file) + "." + token.text();
                uses.add(new Use(new Place(file, token.line(), name), call(isQualified ? at - 2 : at)));
            }
        }

        /** Returns the call that looks for the text at an index; empty if the text is used otherwise. */
        private String call(int index) {
            String call = calls.isEmpty() ? "" : calls.peek();
            boolean isFirst = sign(index - 1).equals("(");
            return PLAIN.contains(call) || (REGULAR.contains(call) && isFirst) ? call : "";
        }

        private Kind kind(int index) {
            return index >= 0 && index < tokens.size() ? tokens.get(index).kind() : Kind.NONE;
        }

        private String text(int index) {
            return kind(index) == Kind.NONE ? "" : tokens.get(index).text();
        }

        private String sign(int index) {
            return kind(index) == Kind.SIGN ? text(index) : "";
        }
    }
}
