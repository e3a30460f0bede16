// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberException;
import io.fiber.Needs;
import io.fiber.runtime.logging.Logs;
import io.fiber.spec.Resources;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The resources that a function needs, and where they were declared.
 *
 * @param resources needs of the function; unspecified if none were declared
 * @param origin where they were declared, in words
 * @param warning a warning about ignored declarations of methods that the lambda calls; empty if there is none, or it
 *     was given
 */
public record FunctionResources(Resources resources, String origin, AtomicReference<String> warning) {

    private static final AtomicReference<String> NO_WARNING = new AtomicReference<>("");

    static final FunctionResources NONE = new FunctionResources(Resources.unspecified(), "nothing");

    /** Creates needs without ignored declarations. */
    public FunctionResources(Resources resources, String origin) {
        this(resources, origin, NO_WARNING);
    }

    /** A function of Fiber's that runs another one, which has the needs. */
    public interface Carrier {
        Object carried();
    }

    /** Returns the resources for workers if only their function declares any; warns about ignored declarations. */
    public Resources decided() {
        String text = requireNonNull(warning.get(), "warning");
        if (!text.isEmpty() && warning.compareAndSet(text, "")) {
            Logs.of(FunctionResources.class).log(System.Logger.Level.WARNING, text);
        }
        return resources;
    }

    /**
     * Returns the needs of a function: the {@link Needs} on its class, on the method to which it refers, or on the
     * method that its lambda calls without doing anything else. Thread-safe.
     *
     * @throws FiberException FBR-481 if the annotation holds a value out of its range
     */
    public static FunctionResources of(Object function) {
        FunctionName name = FunctionName.of(function);
        FunctionResources known = name.needs;
        if (known == null) {
            known = annotated(name);
            name.needs = known;
        }
        return known;
    }

    private static FunctionResources annotated(FunctionName name) {
        Class<?> type = name.type();
        Needs ofClass = type.getAnnotation(Needs.class);
        if (ofClass != null) {
            return read(ofClass, type, type.getName());
        }
        Optional<Method> method = name.method();
        if (method.isEmpty()) {
            return NONE;
        }
        if (!method.get().isSynthetic()) {
            return ofMethod(method.get());
        }
        Optional<LambdaBody> body = LambdaBody.of(method.get());
        if (body.isEmpty()) {
            return NONE;
        }
        Optional<Method> onlyCall = body.get().onlyCall();
        return onlyCall.isPresent()
                ? ofMethod(onlyCall.get())
                : new FunctionResources(
                        NONE.resources(),
                        NONE.origin(),
                        new AtomicReference<>(body.get().unheeded()));
    }

    private static FunctionResources ofMethod(Method method) {
        Needs needs = method.getAnnotation(Needs.class);
        return needs == null ? NONE : read(needs, method, ReferencedMethod.name(method));
    }

    private static FunctionResources read(Needs needs, AnnotatedElement element, String name) {
        try {
            Resources resources = Resources.gpus(needs.gpus());
            if (needs.cpus() != 0) {
                resources = resources.withCpus(needs.cpus());
            }
            if (!needs.memory().isEmpty()) {
                resources = resources.withMemory(needs.memory());
            }
            return new FunctionResources(resources, "@Needs of " + name);
        } catch (IllegalArgumentException e) {
            throw new FiberException(
                    "FBR-481",
                    "The annotation @Needs of " + name + " cannot be used: " + e.getMessage() + " The annotation is "
                            + element.getAnnotation(Needs.class) + ".",
                    e);
        }
    }
}
