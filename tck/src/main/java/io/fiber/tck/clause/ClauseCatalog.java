// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.clause;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All clauses that have a test, by number, read from the methods of the contracts. Immutable and thread-safe. */
final class ClauseCatalog {

    /** By name, because the kits use this package. */
    private static final List<String> KITS =
            List.of("io.fiber.tck.backend.BackendTck", "io.fiber.tck.transport.TransportTck");

    private static final Map<String, Clause> CLAUSES = read();

    private ClauseCatalog() {}

    private static Map<String, Clause> read() {
        Map<String, Clause> clauses = new TreeMap<>();
        for (String kit : KITS) {
            for (Class<?> group : groups(kit)) {
                for (Method method : group.getSuperclass().getDeclaredMethods()) {
                    Clause clause = method.getAnnotation(Clause.class);
                    if (clause != null && clauses.put(clause.id(), clause) != null) {
                        throw new IllegalStateException("Two tests are of clause " + clause.id() + ".");
                    }
                }
            }
        }
        return clauses;
    }

    private static Class<?>[] groups(String kit) {
        try {
            return Class.forName(kit).getDeclaredClasses();
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    static Map<String, Clause> clauses() {
        return Map.copyOf(CLAUSES);
    }

    static String document(String clauseId) {
        return clauseId.startsWith("TRN") ? "docs/transport-contract.md" : "docs/backend-contract.md";
    }

    static String describe(String clauseId, String seen) {
        Clause clause = CLAUSES.get(clauseId);
        if (clause == null) {
            return "[" + clauseId + "]\nSeen: " + seen;
        }
        return "[" + clauseId + "] " + clause.says() + "\nSeen: " + seen + "\nIf this fails, check " + clause.check()
                + "\nThe clause: " + document(clauseId) + "; to run it alone: -D" + ClauseSelection.PROPERTY + "="
                + clauseId;
    }
}
