// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.functions.LambdaSite;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the lambdas of one place in a program have in common, on the reader's side. Thread-safe. */
final class LambdaForm implements FlatReader.Form {

    private final Class<?> capturing;
    /** The serialized form, with null for the captured values. */
    private final SerializedLambda form;

    private final LambdaSite site;

    private LambdaForm(Class<?> capturing, SerializedLambda form) throws NoSuchMethodException {
        this.capturing = capturing;
        this.form = form;
        this.site = new LambdaSite(capturing);
    }

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

    /** Returns the version of a class, which an object stream also checks if the named class is serializable. */
    private static long version(Class<?> type) {
        ObjectStreamClass known = ObjectStreamClass.lookup(type);
        return known == null ? 0 : known.getSerialVersionUID();
    }

    static LambdaForm read(byte[] head, ClassLoader loader, FlatReader.Gate gate)
            throws IOException, ReflectiveOperationException {
        PayloadInput in = Payload.of(head).open();
        String name = in.readText();
        long version = in.readLong();
        Class<?> capturing = Class.forName(name, false, loader);
        gate.check(capturing);
        if (version != version(capturing)) {
            throw new InvalidClassException(
                    name,
                    "local class incompatible: stream classdesc serialVersionUID = " + version
                            + ", local class serialVersionUID = " + version(capturing));
        }
        SerializedLambda form = new SerializedLambda(
                capturing,
                in.readText(),
                in.readText(),
                in.readText(),
                in.readByte(),
                in.readText(),
                in.readText(),
                in.readText(),
                in.readText(),
                new Object[in.readByte()]);
        if (in.remaining() != 0) {
            throw new InvalidClassException(name, "a lambda of this class has an unexpected form");
        }
        return new LambdaForm(capturing, form);
    }

    @Override
    public int parts() {
        return form.getCapturedArgCount();
    }

    @Override
    public void check(FlatReader.Gate gate) throws IOException {
        gate.check(SerializedLambda.class);
        gate.check(capturing);
    }

    @Override
    public @Nullable Object make(@Nullable Object[] captured) throws ReflectiveOperationException {
        return site.make(LambdaSite.withCaptured(capturing, form, captured));
    }
}
