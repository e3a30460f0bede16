// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A class file, of which only the requested parts are read. A program's first call uses it, when nothing is compiled
 * yet. So texts are decoded only when they are needed, and there are no lambdas and no string concatenations. Used by
 * one thread.
 */
final class ClassFile {

    private static final int MAGIC = 0xCAFEBABE;
    private static final int HEADER = 10;

    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;

    private static final int TABLE_SWITCH = 170;
    private static final int LOOKUP_SWITCH = 171;
    private static final int INVOKE_VIRTUAL = 182;
    private static final int INVOKE_INTERFACE = 185;
    private static final int WIDE = 196;
    private static final int IINC = 132;

    /** The length of each instruction in bytes; 0 if the instruction itself contains it. */
    private static final byte[] LENGTHS = lengths();

    private static final Set<String> BOXES = Set.of(
            "java/lang/Boolean",
            "java/lang/Byte",
            "java/lang/Character",
            "java/lang/Short",
            "java/lang/Integer",
            "java/lang/Long",
            "java/lang/Float",
            "java/lang/Double",
            "java/lang/Number");

    private final byte[] bytes;
    /** The positions of the constants, after their tags. */
    private final int[] constants;

    /** The position after the constants. */
    private final int body;

    private final int methods;

    /**
     * What the code of a method does, as far as it matters to its needs. Boxing does not count as a call.
     *
     * @param calls the methods that it calls directly, in the order of the code
     * @param isPlain whether it does nothing beside calling and computing arguments: it branches nowhere, creates nothing,
     *     and stores nothing
     * @param line its first line in the source file; 0 if the class file does not say
     */
    record Body(List<Call> calls, boolean isPlain, int line) {}

    /**
     * A called method.
     *
     * @param owner the class that the code names, with dots
     * @param descriptor types of parameters and result, as class files have them
     */
    record Call(String owner, String name, String descriptor) {}

    /**
     * Reads the outline of a class file. Like all methods here, it throws a RuntimeException if the bytes are not a
     * class file.
     */
    ClassFile(byte[] bytes) {
        this.bytes = bytes;
        if (intAt(0) != MAGIC) {
            throw new IllegalArgumentException("This is not a class file.");
        }
        constants = new int[shortAt(HEADER - 2)];
        int at = HEADER;
        for (int i = 1; i < constants.length; i++) {
            int tag = bytes[at++];
            constants[i] = at;
            at += tag == UTF8 ? 2 + shortAt(at) : constantLength(tag);
            if (tag == LONG || tag == DOUBLE) {
                i++;
            }
        }
        body = at;
        at += 6;
        at += 2 + 2 * shortAt(at);
        methods = endOfMembers(at);
    }

    private static int constantLength(int tag) {
        return switch (tag) {
            case 7, 8, 16, 19, 20 -> 2;
            case 15 -> 3;
            case 3, 4, 9, 10, 11, 12, 17, 18 -> 4;
            case LONG, DOUBLE -> 8;
            default -> throw new IllegalArgumentException("A constant has an unknown tag.");
        };
    }

    /** Returns whether a text is among the constants. */
    boolean mentions(byte[] text) {
        for (int i = 1; i < constants.length; i++) {
            int at = constants[i];
            if (at > 0 && bytes[at - 1] == UTF8 && isText(at, text)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the names, with dots, of the classes that its code and outline mention, without arrays. */
    List<String> classNames() {
        List<String> names = new ArrayList<>();
        for (int i = 1; i < constants.length; i++) {
            int at = constants[i];
            if (at > 0 && bytes[at - 1] == CLASS) {
                String name = text(shortAt(at));
                if (name.charAt(0) != '[') {
                    names.add(name.replace('/', '.'));
                }
            }
        }
        return names;
    }

    /** Returns the name of the superclass, with dots; null for Object and modules. */
    @Nullable
    String superclass() {
        int superclass = shortAt(body + 4);
        return superclass == 0 ? null : text(shortAt(constants[superclass])).replace('/', '.');
    }

    /** Returns the name of the source file; null if it is not recorded. */
    @Nullable
    String sourceFile() {
        int at = attribute(endOfMembers(methods), "SourceFile");
        return at == 0 ? null : text(shortAt(at));
    }

    /** Returns what a method does; null if it has no code here. */
    @Nullable
    Body bodyOf(String name, String descriptor) {
        byte[] wanted = name.getBytes(UTF_8);
        byte[] wantedDescriptor = descriptor.getBytes(UTF_8);
        int count = shortAt(methods);
        int at = methods + 2;
        for (int i = 0; i < count; i++) {
            if (isText(constants[shortAt(at + 2)], wanted) && isText(constants[shortAt(at + 4)], wantedDescriptor)) {
                return readBody(at + 6);
            }
            at = endOfAttributes(at + 6);
        }
        return null;
    }

    private @Nullable Body readBody(int attributes) {
        int code = attribute(attributes, "Code");
        if (code == 0) {
            return null;
        }
        int start = code + 8;
        int end = start + intAt(code + 4);
        List<Call> calls = new ArrayList<>();
        boolean isPlain = true;
        for (int at = start; at < end; at += length(at, start)) {
            int instruction = bytes[at] & 0xFF;
            if (instruction >= INVOKE_VIRTUAL && instruction <= INVOKE_INTERFACE) {
                addCall(shortAt(at + 1), calls);
            } else {
                isPlain &= isPlain(instruction);
            }
        }
        int lines = attribute(end + 2 + 8 * shortAt(end), "LineNumberTable");
        boolean hasLine = lines > 0 && shortAt(lines) > 0;
        return new Body(calls, isPlain, hasLine ? shortAt(lines + 4) : 0);
    }

    private void addCall(int constant, List<Call> calls) {
        int at = constants[constant];
        String owner = text(shortAt(constants[shortAt(at)]));
        int nameAndType = constants[shortAt(at + 2)];
        String name = text(shortAt(nameAndType));
        boolean isBoxing = BOXES.contains(owner) && (name.equals("valueOf") || name.endsWith("Value"));
        if (!isBoxing) {
            calls.add(new Call(owner.replace('/', '.'), name, text(shortAt(nameAndType + 2))));
        }
    }

    /** Returns whether this is a constant, load, stack operation, arithmetic, comparison, field read, cast or return. */
    private static boolean isPlain(int instruction) {
        return instruction <= 53
                || (instruction >= 87 && instruction <= 131)
                || (instruction >= 133 && instruction <= 152)
                || (instruction >= 172 && instruction <= 178)
                || instruction == 180
                || instruction == 192;
    }

    private int length(int at, int start) {
        int instruction = bytes[at] & 0xFF;
        int length = LENGTHS[instruction];
        if (length > 0) {
            return length;
        }
        if (instruction == WIDE) {
            return (bytes[at + 1] & 0xFF) == IINC ? 6 : 4;
        }
        int operands = at + 4 - (at - start) % 4;
        int size = instruction == TABLE_SWITCH
                ? 12 + 4 * (intAt(operands + 8) - intAt(operands + 4) + 1)
                : 8 + 8 * intAt(operands + 4);
        if (size <= 0) {
            throw new IllegalArgumentException("A switch has no length.");
        }
        return operands - at + size;
    }

    private static byte[] lengths() {
        byte[] lengths = new byte[256];
        Arrays.fill(lengths, (byte) 1);
        Arrays.fill(lengths, 21, 26, (byte) 2);
        Arrays.fill(lengths, 54, 59, (byte) 2);
        Arrays.fill(lengths, 153, 169, (byte) 3);
        Arrays.fill(lengths, 178, 185, (byte) 3);
        for (int two : new int[] {16, 18, 169, 188}) {
            lengths[two] = 2;
        }
        for (int three : new int[] {17, 19, 20, IINC, 187, 189, 192, 193, 198, 199}) {
            lengths[three] = 3;
        }
        for (int five : new int[] {185, 186, 200, 201}) {
            lengths[five] = 5;
        }
        lengths[197] = 4;
        lengths[TABLE_SWITCH] = 0;
        lengths[LOOKUP_SWITCH] = 0;
        lengths[WIDE] = 0;
        return lengths;
    }

    /** Returns the position of an attribute's content; 0 if there is no such attribute. */
    private int attribute(int attributes, String name) {
        int count = shortAt(attributes);
        int at = attributes + 2;
        for (int i = 0; i < count; i++) {
            if (text(shortAt(at)).equals(name)) {
                return at + 6;
            }
            at += 6 + intAt(at + 2);
        }
        return 0;
    }

    /** Returns the position after the fields or methods, which have the same format. */
    private int endOfMembers(int members) {
        int count = shortAt(members);
        int at = members + 2;
        for (int i = 0; i < count; i++) {
            at = endOfAttributes(at + 6);
        }
        return at;
    }

    private int endOfAttributes(int attributes) {
        int count = shortAt(attributes);
        int at = attributes + 2;
        for (int i = 0; i < count; i++) {
            at += 6 + intAt(at + 2);
        }
        return at;
    }

    private String text(int constant) {
        int at = constants[constant];
        return new String(bytes, at + 2, shortAt(at), UTF_8);
    }

    private boolean isText(int at, byte[] text) {
        return shortAt(at) == text.length && Arrays.equals(bytes, at + 2, at + 2 + text.length, text, 0, text.length);
    }

    private int shortAt(int at) {
        return (bytes[at] & 0xFF) << 8 | (bytes[at + 1] & 0xFF);
    }

    private int intAt(int at) {
        return shortAt(at) << 16 | shortAt(at + 2);
    }
}
