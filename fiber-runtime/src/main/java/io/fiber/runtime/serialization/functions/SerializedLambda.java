// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

import java.io.InvalidObjectException;
import java.io.ObjectStreamException;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Read in place of a {@link java.lang.invoke.SerializedLambda}: it has the same fields, but {@link LambdaSite} creates
 * the function. The stream requires this name and version.
 */
@SuppressWarnings("JavaLangClash") // an object stream compares the names
public final class SerializedLambda implements Serializable {

    private static final long serialVersionUID = 8025925345765570181L;

    private @Nullable Class<?> capturingClass;
    private @Nullable String functionalInterfaceClass;
    private @Nullable String functionalInterfaceMethodName;
    private @Nullable String functionalInterfaceMethodSignature;
    private @Nullable String implClass;
    private @Nullable String implMethodName;
    private @Nullable String implMethodSignature;
    private int implMethodKind;
    private @Nullable String instantiatedMethodType;

    @SuppressWarnings("serial")
    private @Nullable Object @Nullable [] capturedArgs;

    private SerializedLambda() {}

    private @Nullable Object readResolve() throws ObjectStreamException {
        if (capturingClass == null || capturedArgs == null) {
            throw new InvalidObjectException("a lambda lacks its class or its captured arguments");
        }
        java.lang.invoke.SerializedLambda lambda = new java.lang.invoke.SerializedLambda(
                capturingClass,
                functionalInterfaceClass,
                functionalInterfaceMethodName,
                functionalInterfaceMethodSignature,
                implMethodKind,
                implClass,
                implMethodName,
                implMethodSignature,
                instantiatedMethodType,
                capturedArgs);
        try {
            return LambdaSite.of(capturingClass, lambda).make(lambda);
        } catch (ReflectiveOperationException e) {
            InvalidObjectException invalid = new InvalidObjectException("The lambda cannot be created.");
            invalid.initCause(e);
            throw invalid;
        }
    }
}
