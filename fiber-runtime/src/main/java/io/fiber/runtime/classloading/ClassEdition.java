// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.classloading;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Classes by their names at one time, each with its loader. Not thread-safe; guarded by its owner. */
final class ClassEdition {

    /** Where to look for a class whose loader is not known by its name; newest first. */
    private final List<ClassLoader> loaders = new ArrayList<>();

    private final Map<String, ClassLoader> owners = new HashMap<>();
    private final Map<String, ClassContent> sent = new LinkedHashMap<>();

    /** Returns an edition with the same loaders, of which nothing was sent. */
    ClassEdition next() {
        ClassEdition next = new ClassEdition();
        next.loaders.addAll(loaders);
        next.owners.putAll(owners);
        return next;
    }

    /** Returns whether it can include these classes, that is, whether no name would stand for two classes. */
    boolean admits(Map<String, Class<?>> classes) {
        for (Map.Entry<String, Class<?>> entry : classes.entrySet()) {
            ClassLoader owner = owners.get(entry.getKey());
            if (owner != null && owner != entry.getValue().getClassLoader()) {
                return false;
            }
        }
        return true;
    }

    void add(Map<String, Class<?>> classes) {
        classes.forEach((name, type) -> {
            ClassLoader loader = type.getClassLoader();
            if (owners.putIfAbsent(name, loader) == null && !loaders.contains(loader)) {
                loaders.add(0, loader);
            }
        });
    }

    /** Returns the loaders to ask for a class, the most likely first. */
    List<ClassLoader> candidates(String name) {
        ClassLoader owner = owners.get(name);
        return owner == null ? List.copyOf(loaders) : List.of(owner);
    }

    Map<String, ClassContent> sent() {
        return sent;
    }
}
