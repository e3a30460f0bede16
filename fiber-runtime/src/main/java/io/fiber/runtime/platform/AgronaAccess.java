// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import io.fiber.FiberException;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.config.Origin;
import io.fiber.spi.transport.TransportProvider;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that Agrona may use {@code jdk.internal.misc}, without which its buffers cannot be used. A JVM that was
 * started with {@code --add-exports} has nothing to be done. In any other the package is exported in process, to Agrona
 * alone, by a lookup that the JDK's serialization support lets us construct: a way that the JDK does not support and may
 * close some day, therefore it can be switched off, and its failure is an error that names the supported ways. Stateless
 * and thread-safe.
 */
public final class AgronaAccess {

    private static final String PACKAGE = "jdk.internal.misc";
    private static final String OPTION = "--add-exports=java.base/" + PACKAGE + "=";

    /** The value of {@code Lookup.TRUSTED}, a mode that no public factory gives. */
    private static final int TRUSTED = -1;

    private AgronaAccess() {}

    /**
     * Makes sure that Agrona may use the package.
     *
     * @throws FiberException FBR-110 if this JVM does not export it, and exporting it in process is switched off by
     *     the setting {@code agrona.open} or does not work
     */
    public static void ensure(FiberConfig config) {
        // Loading an interface of Agrona does not initialize what needs the package.
        Module agrona = DirectBuffer.class.getModule();
        if (isExported(agrona)) {
            return;
        }
        if (!config.isOn(ConfigKey.AGRONA_OPEN)) {
            Origin origin = config.setting(ConfigKey.AGRONA_OPEN).orElseThrow().origin();
            throw missing(
                    agrona, "opening it in process is switched off (agrona.open=false from " + origin + ")", null);
        }
        try {
            export(agrona);
        } catch (Throwable e) {
            throw missing(agrona, "opening it in process failed: " + e, e);
        }
        if (!isExported(agrona)) {
            throw missing(agrona, "opening it in process had no effect", null);
        }
    }

    /**
     * Returns whether {@link #ensure} has opened the package in this JVM, so that a process of the same JVM can do so too and
     * needs no option. An option costs a start 10 to 20 ms of processor time: with one the JVM cannot take the module graph
     * from its archive.
     */
    public static boolean isOpenedInProcess() {
        Module agrona = DirectBuffer.class.getModule();
        Module anyOther = ClassLoader.getPlatformClassLoader().getUnnamedModule();
        return !agrona.isNamed()
                && isExported(agrona)
                && !Object.class.getModule().isExported(PACKAGE, anyOther);
    }

    /** Returns the option of a JVM that does what {@link #ensure} does, where Agrona is on the module path or the class path. */
    public static String option(TransportProvider.CodePath path) {
        return OPTION + (path == TransportProvider.CodePath.MODULE_PATH ? "org.agrona" : "ALL-UNNAMED");
    }

    /** Returns whether an option of the JVM does what {@link #ensure} does. */
    public static boolean isReplacing(String jvmOption) {
        return jvmOption.startsWith(OPTION);
    }

    private static boolean isExported(Module agrona) {
        return Object.class.getModule().isExported(PACKAGE, agrona);
    }

    private static void export(Module agrona) throws Throwable {
        MethodHandle addExports = trustedLookup()
                .findVirtual(
                        Module.class, "implAddExports", MethodType.methodType(void.class, String.class, Module.class));
        addExports.invoke(Object.class.getModule(), PACKAGE, agrona);
        if (agrona != AgronaAccess.class.getModule()) {
            addExports.invoke(Object.class.getModule(), PACKAGE, AgronaAccess.class.getModule());
        }
    }

    /** Reflection instead of names: javac warns of the class by an error that no annotation suppresses. */
    private static Lookup trustedLookup() throws ReflectiveOperationException {
        Class<?> factoryClass = Class.forName("sun.reflect.ReflectionFactory");
        Object factory = factoryClass.getMethod("getReflectionFactory").invoke(null);
        Method newConstructor =
                factoryClass.getMethod("newConstructorForSerialization", Class.class, Constructor.class);
        Constructor<?> constructor = (Constructor<?>) newConstructor.invoke(
                factory, Lookup.class, Lookup.class.getDeclaredConstructor(Class.class, Class.class, int.class));
        try {
            return (Lookup) constructor.newInstance(Object.class, null, TRUSTED);
        } catch (InvocationTargetException e) {
            throw new ReflectiveOperationException(e.getTargetException());
        }
    }

    private static FiberException missing(Module agrona, String why, @Nullable Throwable cause) {
        String reader = agrona.isNamed() ? agrona.getName() : "ALL-UNNAMED";
        String export = "java.base/" + PACKAGE;
        return new FiberException(
                "FBR-110 This JVM does not export " + export + " to Agrona, whose buffers Fiber uses, and " + why
                        + ". Start the JVM with: --add-exports " + export + "=" + reader
                        + " . Ways to give it: on the command line, in the environment variable JDK_JAVA_OPTIONS, as"
                        + " 'Add-Exports: " + export + "' in the manifest of a jar that java -jar starts, in"
                        + " -Dexec.args of mvn exec:exec (exec:java gives workers no"
                        + " class path), in <argLine> of Surefire. Workers get it by"
                        + " themselves.",
                cause);
    }
}
