// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fiber.Needs;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The method into which the compiler has put the body of a lambda expression. Its class file says which methods with
 * {@link Needs} it calls. If the file is not available, for example because the class is only in memory, nothing is
 * known.
 *
 * @param holder the class that declares the method
 * @param file the class file of that class
 * @param body what the method does
 * @param annotated the methods with {@link Needs} that it calls, at least one
 */
record LambdaBody(Class<?> holder, ClassFile file, ClassFile.Body body, List<Method> annotated) {

    /** The name of {@link Needs} in class files. */
    private static final byte[] META = "Lio/fiber/Needs;".getBytes(UTF_8);

    /** Returns the body of a lambda if it directly calls a method with {@link Needs}. */
    static Optional<LambdaBody> of(Method method) {
        Class<?> holder = method.getDeclaringClass();
        ClassLoader loader = holder.getClassLoader();
        if (loader == null) {
            return Optional.empty();
        }
        try (ClassFiles files = ClassFiles.beside(holder, loader)) {
            ClassFile file = files.find(holder.getName());
            String descriptor = MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                    .toMethodDescriptorString();
            ClassFile.Body body = file == null ? null : file.bodyOf(method.getName(), descriptor);
            if (file == null || body == null) {
                return Optional.empty();
            }
            List<Method> annotated = new ArrayList<>();
            for (ClassFile.Call call : body.calls()) {
                Method called = annotated(call, loader, files);
                if (called != null) {
                    annotated.add(called);
                }
            }
            return annotated.isEmpty() ? Optional.empty() : Optional.of(new LambdaBody(holder, file, body, annotated));
        } catch (IOException | ReflectiveOperationException | RuntimeException | LinkageError e) {
            // Nothing is known if a class file cannot be read.
            return Optional.empty();
        }
    }

    /** Returns the only method that it calls, if it otherwise only computes the arguments. */
    Optional<Method> onlyCall() {
        return body.isPlain() && body.calls().size() == 1 ? Optional.of(annotated.get(0)) : Optional.empty();
    }

    /** Returns the warning about a body that does more than one call. */
    String unheeded() {
        Set<String> names = new LinkedHashSet<>();
        annotated.forEach(called -> names.add(ReferencedMethod.name(called)));
        String source = file.sourceFile();
        String place = source == null ? "" : " (" + source + (body.line() == 0 ? "" : ":" + body.line()) + ")";
        Method called = annotated.get(0);
        return "FBR-485 The lambda in " + holder.getName() + place + " calls " + String.join(" and ", names)
                + ", but Fiber ignores @Needs here, because the lambda does more than this one call. Submit"
                + " a reference to the method ("
                + called.getDeclaringClass().getSimpleName() + "::" + called.getName()
                + ") or a lambda that only calls it; or set resources(...) of the call, the pool or the process.";
    }

    /**
     * Returns the called method if it has the annotation. Its class is loaded only if its class file, or that of a
     * superclass, mentions the annotation.
     */
    private static @Nullable Method annotated(ClassFile.Call call, ClassLoader loader, ClassFiles files)
            throws IOException, ClassNotFoundException {
        if (!mayHave(call.owner(), files)) {
            return null;
        }
        Class<?>[] parameters =
                MethodType.fromMethodDescriptorString(call.descriptor(), loader).parameterArray();
        Optional<Method> called =
                ReferencedMethod.declared(Class.forName(call.owner(), false, loader), call.name(), parameters);
        return called.isPresent() && called.get().isAnnotationPresent(Needs.class) ? called.get() : null;
    }

    private static boolean mayHave(String owner, ClassFiles files) throws IOException {
        for (String name = owner; name != null && !isOfJdk(name); ) {
            ClassFile file = files.find(name);
            if (file == null || file.mentions(META)) {
                return file != null;
            }
            name = file.superclass();
        }
        return false;
    }

    /** Returns whether a class belongs to the JDK; so do arrays, which have methods of Object. */
    private static boolean isOfJdk(String name) {
        return name.startsWith("java.") || name.startsWith("javax.") || name.startsWith("jdk.") || name.startsWith("[");
    }
}
