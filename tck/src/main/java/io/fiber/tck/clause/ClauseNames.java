// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.clause;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGenerator;

/** Names a clause's test {@code [BKD-203] what the clause says}; classes keep their own names. */
public final class ClauseNames extends DisplayNameGenerator.Standard {

    ClauseNames() {}

    @Override
    public String generateDisplayNameForMethod(
            List<Class<?>> enclosingInstanceTypes, Class<?> testClass, Method testMethod) {
        Clause clause = testMethod.getAnnotation(Clause.class);
        return clause == null
                ? super.generateDisplayNameForMethod(enclosingInstanceTypes, testClass, testMethod)
                : "[" + clause.id() + "] " + clause.says();
    }
}
