// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A place in a program that creates a lambda or a method reference, on the reader's side. The capturing class creates
 * the function with the {@code $deserializeLambda$} that the compiler has put into it. If that confuses two references
 * to one method (JDK-8208752), {@link LambdaFactory} creates it instead. Thread-safe.
 */
public final class LambdaSite {

    /** The maximum number of remembered places of a class; after that, they are forgotten. */
    private static final int MOST_SITES = 1_000;

    private static final ClassValue<Map<Key, LambdaSite>> SITES = new ClassValue<>() {
        @Override
        protected Map<Key, LambdaSite> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    private final Class<?> capturing;
    /** Null if the class is closed to us, so that only the JDK may call the method. */
    private final @Nullable Method deserialize;

    private volatile @Nullable Maker maker;

    public LambdaSite(Class<?> capturing) throws NoSuchMethodException {
        this.capturing = capturing;
        Method method = capturing.getDeclaredMethod("$deserializeLambda$", SerializedLambda.class);
        this.deserialize = method.trySetAccessible() ? method : null;
    }

    /** Returns the place that created a lambda. */
    static LambdaSite of(Class<?> capturing, SerializedLambda lambda) throws NoSuchMethodException {
        Map<Key, LambdaSite> sites = SITES.get(capturing);
        Key key = Key.of(lambda);
        LambdaSite known = sites.get(key);
        if (known == null) {
            if (sites.size() >= MOST_SITES) {
                sites.clear();
            }
            known = new LambdaSite(capturing);
            sites.put(key, known);
        }
        return known;
    }

    /**
     * Returns a function of this place.
     *
     * @param lambda the function's form; it names this place
     * @throws RefusedInputException if the capturing class makes another function, and is closed
     */
    public @Nullable Object make(SerializedLambda lambda) throws ReflectiveOperationException {
        Maker known = maker;
        if (known != null) {
            return known.make(lambda);
        }
        Object made = makeByClass(lambda);
        if (made == null || isMadeAsWritten(made, lambda)) {
            maker = this::makeByClass;
            return made;
        }
        MethodHandle factory = LambdaFactory.of(capturing, lambda, made);
        maker = form -> LambdaFactory.make(factory, form);
        return LambdaFactory.make(factory, lambda);
    }

    /**
     * Returns whether the function is as written. The class has found the method, but may have used the parameter types
     * of another place.
     */
    private static boolean isMadeAsWritten(Object made, SerializedLambda lambda) {
        SerializedLambda form = ReferencedMethod.lambda(made);
        return form == null || form.getInstantiatedMethodType().equals(lambda.getInstantiatedMethodType());
    }

    private @Nullable Object makeByClass(SerializedLambda lambda) throws ReflectiveOperationException {
        if (deserialize == null) {
            return Copy.of(capturing, lambda);
        }
        try {
            return deserialize.invoke(null, lambda);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException && isInClass(lambda)) {
                throw relocated(lambda);
            } else if (e.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            } else if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    /** Returns whether the class has the lambda's method. Then only the code that creates lambdas does not know it. */
    private boolean isInClass(SerializedLambda lambda) {
        return lambda.getImplMethodName().startsWith("lambda$")
                && ReferencedMethod.method(lambda, capturing.getClassLoader()).isPresent();
    }

    private RefusedInputException relocated(SerializedLambda lambda) {
        return new RefusedInputException(
                "FBR-203",
                "the lambda " + lambda.getImplMethodName() + lambda.getImplMethodSignature() + " is in "
                        + capturing.getName()
                        + ", but the code there that deserializes lambdas does not know it. Run the same build of the"
                        + " program on both sides. If you already do, maven-shade-plugin has relocated classes: it"
                        + " renames them, but not in that generated code. Exclude the classes in the lambda's"
                        + " signature from the relocation, or replace the lambda with a class");
    }

    /** Returns the form of a function of the same place with other captured values. */
    public static SerializedLambda withCaptured(
            Class<?> capturing, SerializedLambda lambda, @Nullable Object[] captured) {
        return new SerializedLambda(
                capturing,
                lambda.getFunctionalInterfaceClass(),
                lambda.getFunctionalInterfaceMethodName(),
                lambda.getFunctionalInterfaceMethodSignature(),
                lambda.getImplMethodKind(),
                lambda.getImplClass(),
                lambda.getImplMethodName(),
                lambda.getImplMethodSignature(),
                lambda.getInstantiatedMethodType(),
                captured);
    }

    private interface Maker {
        @Nullable
        Object make(SerializedLambda lambda) throws ReflectiveOperationException;
    }

    private record Key(
            String functionalInterface,
            String method,
            String methodType,
            int implKind,
            String implClass,
            String implName,
            String implType,
            String instantiatedType) {

        static Key of(SerializedLambda lambda) {
            return new Key(
                    lambda.getFunctionalInterfaceClass(),
                    lambda.getFunctionalInterfaceMethodName(),
                    lambda.getFunctionalInterfaceMethodSignature(),
                    lambda.getImplMethodKind(),
                    lambda.getImplClass(),
                    lambda.getImplMethodName(),
                    lambda.getImplMethodSignature(),
                    lambda.getInstantiatedMethodType());
        }
    }

    /** Has the JDK create a function whose class is closed to us, as an object stream does. */
    private static final class Copy extends ObjectInputStream {

        /** Stands for the captured object with this index, which is not copied. */
        private record Captured(int index) implements Serializable {}

        private final Class<?> capturing;
        private final SerializedLambda lambda;

        private Copy(PayloadInput in, Class<?> capturing, SerializedLambda lambda) throws IOException {
            super(in);
            enableResolveObject(true);
            setObjectInputFilter(info -> ObjectInputFilter.Status.ALLOWED);
            this.capturing = capturing;
            this.lambda = lambda;
        }

        static @Nullable Object of(Class<?> capturing, SerializedLambda lambda) throws ReflectiveOperationException {
            Object[] captured = new Object[lambda.getCapturedArgCount()];
            Arrays.setAll(captured, Captured::new);
            PayloadOutput out = new PayloadOutput();
            try (ObjectOutputStream writer = new ObjectOutputStream(out)) {
                writer.writeObject(withCaptured(capturing, lambda, captured));
                writer.flush();
                return new Copy(out.toPayload().open(), capturing, lambda).readObject();
            } catch (IOException e) {
                throw new InvocationTargetException(e);
            }
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            String name = description.getName();
            if (name.equals(capturing.getName())) {
                return capturing;
            }
            return name.equals(Captured.class.getName()) ? Captured.class : super.resolveClass(description);
        }

        @Override
        protected @Nullable Object resolveObject(Object object) {
            return object instanceof Captured stand ? lambda.getCapturedArg(stand.index()) : object;
        }
    }
}
