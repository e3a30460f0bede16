// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.clause;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs only the clauses in the system property {@value #PROPERTY}, separated by commas; all clauses if it names none.
 */
public final class ClauseSelection implements ExecutionCondition {

    /** The system property that names clauses. */
    public static final String PROPERTY = "fiber.tck.clauses";

    ClauseSelection() {}

    /**
     * Returns the clauses in the property.
     *
     * @throws IllegalArgumentException if there is no such clause
     */
    public static Set<String> named() {
        Set<String> named = Arrays.stream(System.getProperty(PROPERTY, "").split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
        for (String word : named) {
            if (!ClauseCatalog.clauses().containsKey(word)) {
                throw new IllegalArgumentException("There is no clause '" + word + "' (from " + PROPERTY
                        + " or --clause). Expected the number of a clause, such as BKD-203 or TRN-201.");
            }
        }
        return named;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Set<String> named = named();
        return context.getTestMethod()
                .map(method -> method.getAnnotation(Clause.class))
                .filter(clause -> !named.isEmpty() && !named.contains(clause.id()))
                .map(clause -> ConditionEvaluationResult.disabled("only " + named + " was asked for"))
                .orElseGet(() -> ConditionEvaluationResult.enabled("it is asked for"));
    }
}
