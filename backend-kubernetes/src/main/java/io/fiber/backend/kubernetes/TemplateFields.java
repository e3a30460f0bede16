// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds fields of a pod template that pods do not have. The client's model keeps such fields as additional properties
 * of an object, and the API server ignores them. Stateless.
 */
final class TemplateFields {

    private static final String MODEL = Pod.class.getPackageName();
    private static final String ADDITIONAL = "additionalProperties";

    /** How many letters of a field may differ from the intended one. */
    private static final int MOST_CHANGES = 3;

    private TemplateFields() {}

    /**
     * Checks the fields of a pod and of everything in it.
     *
     * @throws IllegalArgumentException with the path of an unknown field, and a suggestion if a similar field exists
     */
    static void check(Pod pod) {
        checkValue("", pod);
    }

    private static void checkValue(String path, Object value) {
        if (value instanceof List<?> entries) {
            for (int i = 0; i < entries.size(); i++) {
                checkValue(path + "[" + i + "]", entries.get(i));
            }
        } else if (value instanceof Map<?, ?> entries) {
            entries.forEach((key, each) -> checkValue(path + "." + key, each));
        } else if (value != null
                && !value.getClass().isEnum()
                && value.getClass().getName().startsWith(MODEL)) {
            checkObject(path, value);
        }
    }

    private static void checkObject(String path, Object object) {
        Map<String, Method> fields = fields(object.getClass());
        String prefix = path.isEmpty() ? "" : path + ".";
        Method additional = fields.remove(ADDITIONAL);
        if (additional != null && read(additional, object) instanceof Map<?, ?> unknown && !unknown.isEmpty()) {
            String name = String.valueOf(unknown.keySet().iterator().next());
            throw new IllegalArgumentException("it has the field '" + prefix + name + "', which is unknown"
                    + nearest(name, fields)
                            .map(near -> "; did you mean '" + near + "'?")
                            .orElse(""));
        }
        fields.forEach((name, getter) -> checkValue(prefix + name, read(getter, object)));
    }

    private static Map<String, Method> fields(Class<?> type) {
        Map<String, Method> fields = new TreeMap<>();
        Arrays.stream(type.getMethods())
                .filter(method -> method.getName().matches("get[A-Z].*") && method.getParameterCount() == 0)
                .filter(method -> method.getDeclaringClass() != Object.class)
                .forEach(method -> fields.put(
                        Character.toLowerCase(method.getName().charAt(3))
                                + method.getName().substring(4),
                        method));
        return fields;
    }

    private static Object read(Method getter, Object object) {
        try {
            return getter.invoke(object);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("The field of " + getter + " cannot be read.", e);
        }
    }

    private static Optional<String> nearest(String name, Map<String, Method> fields) {
        return fields.keySet().stream()
                .filter(field -> changes(name, field) <= Math.min(MOST_CHANGES, name.length() / 2))
                .min(Comparator.comparingInt(field -> changes(name, field)));
    }

    /** Returns how many letters must be added, removed or replaced to change one word into the other. */
    private static int changes(String from, String to) {
        int[] above = new int[to.length() + 1];
        Arrays.setAll(above, i -> i);
        for (int row = 1; row <= from.length(); row++) {
            int[] here = new int[above.length];
            here[0] = row;
            for (int column = 1; column < here.length; column++) {
                int replaced = above[column - 1] + (from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1);
                here[column] = Math.min(replaced, Math.min(above[column], here[column - 1]) + 1);
            }
            above = here;
        }
        return above[to.length()];
    }
}
