// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.LambdaConversionException;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates the functions of a place in a program from their serialized form with {@link LambdaMetafactory}, as compiled
 * code does.
 *
 * <p>The called method and the interface are those that the capturing class itself has found for the form, so that
 * forged bytes cannot call another method.
 */
final class LambdaFactory {

    /** The version of Java 11. */
    private static final int CLASS_FILE_VERSION = 55;

    private static final String LOOKUP = "lookup";

    private LambdaFactory() {}

    /**
     * Returns a handle that creates functions from an array of captured values.
     *
     * @param twin the function that the capturing class creates from the form; only its types are wrong
     * @throws RefusedInputException if the capturing class is closed to Fiber
     */
    static MethodHandle of(Class<?> capturing, SerializedLambda lambda, Object twin)
            throws ReflectiveOperationException {
        Lookup lookup = lookupIn(capturing, lambda);
        ClassLoader loader = capturing.getClassLoader();
        MethodHandle method = method(lookup, lambda, loader);
        Class<?> functional = type(lambda.getFunctionalInterfaceClass(), loader);
        String name = lambda.getFunctionalInterfaceMethodName();
        MethodType erased =
                MethodType.fromMethodDescriptorString(lambda.getFunctionalInterfaceMethodSignature(), loader);
        List<Object> arguments = new ArrayList<>();
        arguments.add(erased);
        arguments.add(method);
        arguments.add(MethodType.fromMethodDescriptorString(lambda.getInstantiatedMethodType(), loader));
        arguments.add(
                LambdaMetafactory.FLAG_SERIALIZABLE | LambdaMetafactory.FLAG_MARKERS | LambdaMetafactory.FLAG_BRIDGES);
        List<Class<?>> markers = List.of(twin.getClass().getInterfaces());
        arguments.add(markers.size());
        arguments.addAll(markers);
        List<MethodType> bridges = bridges(twin.getClass(), name, erased);
        arguments.add(bridges.size());
        arguments.addAll(bridges);
        MethodType captured = method.type()
                .dropParameterTypes(lambda.getCapturedArgCount(), method.type().parameterCount())
                .changeReturnType(functional);
        try {
            return LambdaMetafactory.altMetafactory(lookup, name, captured, arguments.toArray())
                    .getTarget()
                    .asType(captured.generic())
                    .asSpreader(Object[].class, captured.parameterCount());
        } catch (LambdaConversionException e) {
            throw new ReflectiveOperationException(e);
        }
    }

    /** Creates a function with the captured values in its form. */
    static Object make(MethodHandle factory, SerializedLambda lambda) throws ReflectiveOperationException {
        @Nullable Object[] captured = new @Nullable Object[lambda.getCapturedArgCount()];
        for (int i = 0; i < captured.length; i++) {
            captured[i] = lambda.getCapturedArg(i);
        }
        try {
            return factory.invoke(captured);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new ReflectiveOperationException(e);
        }
    }

    private static MethodHandle method(Lookup lookup, SerializedLambda lambda, @Nullable ClassLoader loader)
            throws ReflectiveOperationException {
        Class<?> holder = type(lambda.getImplClass(), loader);
        String name = lambda.getImplMethodName();
        MethodType type = MethodType.fromMethodDescriptorString(lambda.getImplMethodSignature(), loader);
        return switch (lambda.getImplMethodKind()) {
            case MethodHandleInfo.REF_invokeStatic -> lookup.findStatic(holder, name, type);
            case MethodHandleInfo.REF_newInvokeSpecial -> lookup.findConstructor(holder, type);
            case MethodHandleInfo.REF_invokeSpecial -> lookup.findSpecial(holder, name, type, lookup.lookupClass());
            default -> lookup.findVirtual(holder, name, type);
        };
    }

    /**
     * Returns the other methods of the interface that call the same method: those that a subinterface has made more
     * specific.
     */
    private static List<MethodType> bridges(Class<?> twin, String name, MethodType erased) {
        List<MethodType> bridges = new ArrayList<>();
        for (Method method : twin.getDeclaredMethods()) {
            MethodType type = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
            if (method.getName().equals(name) && !Modifier.isStatic(method.getModifiers()) && !type.equals(erased)) {
                bridges.add(type);
            }
        }
        return bridges;
    }

    private static Class<?> type(String internalName, @Nullable ClassLoader loader) throws ClassNotFoundException {
        return Class.forName(internalName.replace('/', '.'), false, loader);
    }

    /** Returns a lookup with the rights of the capturing class. */
    private static Lookup lookupIn(Class<?> capturing, SerializedLambda lambda) throws ReflectiveOperationException {
        Lookup ours;
        try {
            ours = MethodHandles.privateLookupIn(capturing, MethodHandles.lookup());
        } catch (IllegalAccessException closed) {
            throw new RefusedInputException(
                    "FBR-203",
                    capturing.getName() + " refers to the method "
                            + lambda.getImplClass().replace('/', '.') + "::" + lambda.getImplMethodName()
                            + " in two places, which the compiler has confused (JDK-8208752), and its module does not"
                            + " open the package to io.fiber.runtime. Write one of the two references as a lambda");
        }
        if (ours.hasFullPrivilegeAccess()) {
            return ours;
        }
        // The class is of another module or loader than this one: only a class beside it gets a lookup that makes
        // functions.
        Class<?> beside = neighbour(capturing, ours);
        Method lookup = beside.getDeclaredMethod(LOOKUP);
        lookup.setAccessible(true);
        return MethodHandles.privateLookupIn(capturing, (Lookup) lookup.invoke(null));
    }

    private static Class<?> neighbour(Class<?> capturing, Lookup lookup) throws ReflectiveOperationException {
        String prefix = capturing.getPackageName().isEmpty() ? "" : capturing.getPackageName() + ".";
        String name = prefix + "FiberLookup";
        try {
            return lookup.defineClass(neighbour(name.replace('.', '/')));
        } catch (LinkageError defined) {
            return Class.forName(name, false, capturing.getClassLoader());
        }
    }

    /**
     * Returns the class file of {@code final class FiberLookup { static Lookup lookup() { return MethodHandles.lookup();
     * } }}.
     */
    private static byte[] neighbour(String internalName) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            out.writeInt(0xCAFE_BABE);
            out.writeInt(CLASS_FILE_VERSION);
            List<String> texts = List.of(
                    internalName,
                    "java/lang/Object",
                    "java/lang/invoke/MethodHandles",
                    LOOKUP,
                    "()Ljava/lang/invoke/MethodHandles$Lookup;",
                    "Code");
            out.writeShort(texts.size() + 6);
            for (String text : texts) {
                out.writeByte(1);
                out.writeUTF(text);
            }
            for (int text = 1; text <= 3; text++) {
                out.writeByte(7);
                out.writeShort(text);
            }
            // 10: name and type; 11: the method.
            out.write(new byte[] {12, 0, 4, 0, 5, 10, 0, 9, 0, 10});
            out.writeShort(Modifier.FINAL | 0x20);
            // This class and its superclass; no interfaces, no fields, one method.
            out.write(new byte[] {0, 7, 0, 8, 0, 0, 0, 0, 0, 1});
            out.writeShort(Modifier.STATIC);
            // Its name, type and one attribute: 16 bytes of code with a stack of one, which is invokestatic and
            // areturn.
            out.write(new byte[] {0, 4, 0, 5, 0, 1, 0, 6, 0, 0, 0, 16, 0, 1, 0, 0, 0, 0, 0, 4});
            out.write(new byte[] {(byte) 0xB8, 0, 11, (byte) 0xB0, 0, 0, 0, 0, 0, 0});
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return bytes.toByteArray();
    }
}
