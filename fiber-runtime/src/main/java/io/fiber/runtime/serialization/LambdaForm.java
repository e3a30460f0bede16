// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the lambdas of one place in a program have in common, at the reader. Thread-safe. */
final class LambdaForm implements FlatReader.Form {

    private static final int MOST_CAPTURED = 255;

    private final Class<?> capturing;
    private final @Nullable Method deserialize;
    private final Site site;

    /**
     * The place, as {@link SerializedLambda} names it.
     *
     * @param function the interface, its method and the method's signature
     * @param kind of the method's handle
     * @param body the class, name and signature of the method that is run
     * @param instantiated the signature with type arguments in place
     * @param captured how many values were captured
     */
    private record Site(List<String> function, int kind, List<String> body, String instantiated, int captured) {}

    private LambdaForm(Class<?> capturing, Site site) throws NoSuchMethodException {
        this.capturing = capturing;
        this.site = site;
        Method method = capturing.getDeclaredMethod("$deserializeLambda$", SerializedLambda.class);
        this.deserialize = method.trySetAccessible() ? method : null;
    }

    /** Returns how lambdas of a class are written; nothing for other classes. */
    static Optional<FlatWriter.Layout> layoutOf(Class<?> type) {
        if (!type.isHidden() || !type.isSynthetic() || !Serializable.class.isAssignableFrom(type)) {
            return Optional.empty();
        }
        try {
            Method replacement = type.getDeclaredMethod("writeReplace");
            return replacement.trySetAccessible() ? Optional.of(new Layout(replacement)) : Optional.empty();
        } catch (NoSuchMethodException e) {
            return Optional.empty();
        }
    }

    private static final class Layout implements FlatWriter.Layout {
        private final Method replacement;
        private volatile byte @Nullable [] head;

        Layout(Method replacement) {
            this.replacement = replacement;
        }

        @Override
        public @Nullable Object @Nullable [] partsOf(Object value) throws ReflectiveOperationException {
            if (!(replacement.invoke(value) instanceof SerializedLambda lambda)) {
                return null;
            }
            if (head == null) {
                head = headOf(lambda, value.getClass().getClassLoader());
            }
            return FlatWriter.captured(lambda);
        }

        @Override
        public byte[] head() {
            return requireNonNull(head);
        }
    }

    private static byte[] headOf(SerializedLambda lambda, @Nullable ClassLoader loader) throws ClassNotFoundException {
        PayloadOutput out = new PayloadOutput();
        String capturing = lambda.getCapturingClass().replace('/', '.');
        out.writeText(capturing);
        out.writeLong(version(Class.forName(capturing, false, loader)));
        out.writeText(lambda.getFunctionalInterfaceClass());
        out.writeText(lambda.getFunctionalInterfaceMethodName());
        out.writeText(lambda.getFunctionalInterfaceMethodSignature());
        out.write(lambda.getImplMethodKind());
        out.writeText(lambda.getImplClass());
        out.writeText(lambda.getImplMethodName());
        out.writeText(lambda.getImplMethodSignature());
        out.writeText(lambda.getInstantiatedMethodType());
        out.write(lambda.getCapturedArgCount());
        return out.toPayload().toArray();
    }

    /** As an object stream does, which checks the version of a class that is named when it is serializable. */
    private static long version(Class<?> type) {
        ObjectStreamClass known = ObjectStreamClass.lookup(type);
        return known == null ? 0 : known.getSerialVersionUID();
    }

    static LambdaForm read(byte[] head, ClassLoader loader, FlatReader.Gate gate)
            throws IOException, ReflectiveOperationException {
        PayloadInput in = Payload.of(head).open();
        String name = in.readText();
        long version = in.readLong();
        List<String> function = List.of(in.readText(), in.readText(), in.readText());
        int kind = in.readByte();
        List<String> body = List.of(in.readText(), in.readText(), in.readText());
        Site site = new Site(function, kind, body, in.readText(), in.readByte());
        if (in.remaining() != 0 || site.captured() > MOST_CAPTURED) {
            throw new InvalidClassException(name, "a lambda of it is not as one is written");
        }
        Class<?> capturing = Class.forName(name, false, loader);
        gate.check(capturing);
        if (version != version(capturing)) {
            throw new InvalidClassException(
                    name,
                    "local class incompatible: stream classdesc serialVersionUID = " + version
                            + ", local class serialVersionUID = " + version(capturing));
        }
        return new LambdaForm(capturing, site);
    }

    @Override
    public int parts() {
        return site.captured();
    }

    @Override
    public Class<?>[] types() {
        return new Class<?>[] {SerializedLambda.class, capturing};
    }

    @Override
    public @Nullable Object make(@Nullable Object[] captured, FlatReader.Streamed streamed)
            throws IOException, ReflectiveOperationException {
        SerializedLambda lambda = new SerializedLambda(
                capturing,
                site.function().get(0),
                site.function().get(1),
                site.function().get(2),
                site.kind(),
                site.body().get(0),
                site.body().get(1),
                site.body().get(2),
                site.instantiated(),
                captured);
        if (deserialize == null) {
            return streamed.copy(lambda);
        }
        try {
            return deserialize.invoke(null, lambda);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            } else if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }
}
