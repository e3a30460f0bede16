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
 * Gives Agrona access to {@code jdk.internal.misc}, which its buffers need. A JVM that was started with {@code
 * --add-exports} needs nothing. In any other JVM, the package is exported in process, to Agrona alone, through a lookup
 * that the JDK's serialization support lets us construct. The JDK does not support this and may prevent it some day. So
 * it can be switched off, and if it fails, the error names the supported ways. Stateless and thread-safe.
 */
public final class AgronaAccess {

    private static final String PACKAGE = "jdk.internal.misc";
    private static final String OPTION = "--add-exports=java.base/" + PACKAGE + "=";

    /** The value of {@code Lookup.TRUSTED}, a mode that no public factory returns. */
    private static final int TRUSTED = -1;

    private AgronaAccess() {}

    /**
     * Ensures that Agrona may use the package.
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
     * Returns whether {@link #ensure} has opened the package in this JVM. If so, a process of the same JVM can do the
     * same and needs no option. An option makes a start take 10 to 20 ms more processor time, because the JVM then
     * cannot read the module graph from its archive.
     */
    public static boolean isOpenedInProcess() {
        Module agrona = DirectBuffer.class.getModule();
        Module anyOther = ClassLoader.getPlatformClassLoader().getUnnamedModule();
        return !agrona.isNamed()
                && isExported(agrona)
                && !Object.class.getModule().isExported(PACKAGE, anyOther);
    }

    /**
     * Returns the JVM option that has the effect of {@link #ensure}, with Agrona on the module path or on the class
     * path.
     */
    public static String option(TransportProvider.CodePath path) {
        return OPTION + (path == TransportProvider.CodePath.MODULE_PATH ? "org.agrona" : "ALL-UNNAMED");
    }

    /** Returns whether a JVM option has the effect of {@link #ensure}. */
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

    /** Uses reflection, because javac reports the class with an error that no annotation suppresses. */
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
                        + " . You can set this option on the command line, in the environment variable"
                        + " JDK_JAVA_OPTIONS, as 'Add-Exports: " + export + "' in the manifest of a jar that java"
                        + " -jar starts, in -Dexec.args of mvn exec:exec (exec:java gives workers no class path), or"
                        + " in <argLine> of Surefire. Workers get it from Fiber.",
                cause);
    }
}
