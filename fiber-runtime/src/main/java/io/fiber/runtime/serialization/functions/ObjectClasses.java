// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.lang.invoke.SerializedLambda;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Collects the classes of the objects that a value consists of, and those with the bodies of its lambdas, by writing it to
 * nowhere. What cannot be written has the classes that were met before.
 */
final class ObjectClasses extends ObjectOutputStream {

    private final ClassLoader loader;
    private final Set<Class<?>> met = new LinkedHashSet<>();

    private ObjectClasses(ClassLoader loader) throws IOException {
        super(OutputStream.nullOutputStream());
        this.loader = loader;
        enableReplaceObject(true);
    }

    static Set<Class<?>> of(Object value, ClassLoader loader) {
        try (ObjectClasses classes = new ObjectClasses(loader)) {
            if (!value.getClass().isHidden()) {
                classes.met.add(value.getClass());
            }
            try {
                classes.writeObject(value);
            } catch (IOException | RuntimeException | StackOverflowError e) {
                // A serializer of the program's choice may write what an object stream does not.
            }
            return classes.met;
        } catch (IOException e) {
            throw new IllegalStateException("Nothing is written here.", e);
        }
    }

    @Override
    protected Object replaceObject(Object object) {
        if (object instanceof SerializedLambda lambda) {
            String name = lambda.getImplClass().replace('/', '.');
            try {
                met.add(Class.forName(name, false, loader));
            } catch (ClassNotFoundException | LinkageError e) {
                // Its reader will say so.
            }
        } else {
            met.add(object.getClass());
        }
        return object;
    }
}
