// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.classloading;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Defines the classes of one edition in a worker that the program's own loader does not have. Blocks until a class has
 * arrived. Thread-safe.
 */
final class EditionLoader extends ClassLoader {

    private final int edition;
    private final FetchedClasses classes;
    private final Map<String, ClassContent> contents = new ConcurrentHashMap<>();
    /** Why there is no class of a name, so that it is requested only once. */
    private final Map<String, IOException> missing = new ConcurrentHashMap<>();

    EditionLoader(int edition, FetchedClasses classes) {
        super("fiber-edition-" + edition, ClassLoader.getSystemClassLoader());
        this.edition = edition;
        this.classes = classes;
    }

    int edition() {
        return edition;
    }

    /** Returns a class that was sent, or requests it. */
    ClassContent content(String name) throws IOException {
        ClassContent known = contents.get(name);
        if (known != null) {
            return known;
        }
        IOException why = missing.get(name);
        if (why != null) {
            throw why;
        }
        try {
            ClassContent content = classes.fetch(edition, name);
            contents.put(name, content);
            return content;
        } catch (IOException e) {
            missing.put(name, e);
            throw e;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try {
            ClassContent content = content(name);
            byte[] classFile = content.classFile();
            Class<?> type = defineClass(name, classFile, 0, classFile.length);
            classes.setVariables(type, content);
            return type;
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
