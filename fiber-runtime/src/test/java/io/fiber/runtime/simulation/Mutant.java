// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A deliberate bug: an operator, and the place in the bytecode where it is applied.
 *
 * @param name what goes wrong, in words, or the place
 * @param place where it goes wrong
 * @param with the method that {@link Operator#INSTEAD} calls
 * @param firstSeed where the search for it begins
 */
record Mutant(String name, Place place, String with, long firstSeed) {

    private static final Set<String> WITHOUT_PROMISES =
            Set.of("<clinit>", "toString", "equals", "hashCode", "statistics", "snapshot");

    /**
     * A place in the bytecode.
     *
     * @param type the class's name without its package
     * @param method the method's name; what stands in a lambda belongs to the method around it
     * @param target the call or field at this place; the last one before it if it is a condition or arithmetic
     * @param ordinal which of the equal places, from 1 on
     */
    record Place(String type, String method, Operator operator, String target, int ordinal) {
        @Override
        public String toString() {
            return "%s.%s: %s %s %d".formatted(type, method, operator, target, ordinal);
        }
    }

    /** Returns a bug at the only or first such place. */
    static Mutant of(String name, String method, Operator operator, String target) {
        return of(name, method, operator, target, 1);
    }

    static Mutant of(String name, String method, Operator operator, String target, int ordinal) {
        int dot = method.indexOf('.');
        Place place = new Place(method.substring(0, dot), method.substring(dot + 1), operator, target, ordinal);
        return new Mutant(name, place, "", 1);
    }

    /** Returns a bug that few seeds find, with one of them: the search begins there and goes as far as that of others. */
    Mutant rare(long seed) {
        return new Mutant(name, place, with, seed);
    }

    Mutant calling(String other) {
        return new Mutant(name, place, other, firstSeed);
    }

    /** Returns a bug for each place in a class, or in one nested in it, to which an operator applies. */
    static List<Mutant> in(String type) {
        List<Mutant> mutants = new ArrayList<>();
        for (byte[] file : MutantLoader.filesOf(type)) {
            placesIn(read(file)).keySet().stream()
                    .filter(place -> place.operator().isGenerated())
                    .forEach(place -> mutants.add(new Mutant(place.toString(), place, "", 1)));
        }
        return mutants;
    }

    /** Returns the class with the bug in it. */
    ClassNode planted(byte[] file) {
        ClassNode type = read(file);
        Found found = placesIn(type).get(place);
        if (found == null) {
            throw new AssertionError(
                    "There is no " + place + " for the mutant '" + name + "'. Bring it up to date in Mutants.");
        }
        place.operator().plant(type, found.method().instructions, found.instruction(), with);
        return type;
    }

    private record Found(MethodNode method, AbstractInsnNode instruction) {}

    private static ClassNode read(byte[] file) {
        ClassNode type = new ClassNode();
        new ClassReader(file).accept(type, 0);
        return type;
    }

    private static Map<Place, Found> placesIn(ClassNode type) {
        Map<Place, Found> places = new LinkedHashMap<>();
        Map<Place, Integer> equal = new HashMap<>();
        String name = type.name.substring(type.name.lastIndexOf('/') + 1);
        for (MethodNode method : type.methods) {
            String around = method.name.startsWith("lambda$") ? method.name.split("\\$", -1)[1] : method.name;
            if (WITHOUT_PROMISES.contains(around) || isBridge(method)) {
                continue;
            }
            for (AbstractInsnNode instruction : method.instructions) {
                for (Operator operator : Operator.values()) {
                    if (operator.fits(instruction)) {
                        Place any = new Place(name, around, operator, targetOf(instruction), 0);
                        int ordinal = equal.merge(any, 1, Integer::sum);
                        places.put(
                                new Place(name, around, operator, any.target(), ordinal),
                                new Found(method, instruction));
                    }
                }
            }
        }
        return places;
    }

    private static boolean isBridge(MethodNode method) {
        return (method.access & Opcodes.ACC_BRIDGE) != 0 || Modifier.isAbstract(method.access);
    }

    private static String targetOf(AbstractInsnNode instruction) {
        for (AbstractInsnNode each = instruction; each != null; each = each.getPrevious()) {
            if (each instanceof MethodInsnNode call) {
                return call.name;
            } else if (each instanceof FieldInsnNode field) {
                return field.name;
            }
        }
        return "";
    }

    @Override
    public String toString() {
        return name;
    }
}
