// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.platform.Types;
import java.io.Externalizable;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.security.Key;
import java.security.cert.CertPath;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides which classes of the JDK may be read: exceptions, enums, interfaces, collections, and values. A value is a
 * serializable class of an exported package whose fields hold numbers, text, collections and values. Immutable.
 *
 * <p>Each object in a stream is checked, with each of its superclasses, whatever the type of its field.
 */
final class JdkTypes {

    /** Packages of values and collections, and of the lambdas that their factories return. */
    private static final Set<String> PACKAGES = Set.of(
            "java.math",
            "java.text",
            "java.time",
            "java.time.chrono",
            "java.time.zone",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.concurrent.locks",
            "java.util.function");

    /**
     * Classes that the rule does not find: roots, serialized forms of other objects, and hidden classes behind values.
     */
    private static final Set<String> TYPES = Set.of(
            "com.sun.org.apache.xerces.internal.jaxp.datatype.DurationImpl",
            "com.sun.org.apache.xerces.internal.jaxp.datatype.DurationImpl$DurationStream",
            "com.sun.org.apache.xerces.internal.jaxp.datatype.XMLGregorianCalendarImpl",
            "java.lang.Object",
            "java.lang.Record",
            "java.lang.invoke.MethodType",
            "java.lang.invoke.SerializedLambda",
            "java.lang.reflect.Proxy",
            "sun.util.BuddhistCalendar",
            "sun.util.calendar.ZoneInfo");

    /** Never read, whatever a setting allows: packages, which end in a full stop, and classes with their subclasses. */
    private static final Set<String> KEPT_OUT = Set.of(
            // They contain bytes that they deserialize themselves, without a filter.
            "java.rmi.",
            "java.security.SignedObject",
            "javax.crypto.SealedObject",
            "javax.sql.",
            "java.beans.",
            // They look a name up, connect, or are called from other hosts: URL and SocketPermission ask for an address
            // when they are compared, a name of JNDI brings classes from elsewhere, a row set connects to its database.
            "java.net.URL",
            "java.net.SocketPermission",
            "javax.naming.",
            "javax.management.remote.",
            "javax.rmi.",
            "com.sun.jndi.",
            "com.sun.rowset.",
            "sun.rmi.",
            // They call methods of their content, or of listeners, while they are read or compared.
            "javax.management.BadAttributeValueExpException",
            "javax.management.openmbean.TabularDataSupport",
            "javax.swing.",
            "java.awt.Component",
            "java.awt.dnd.",
            "sun.reflect.annotation.",
            // They load classes (a LogRecord its resource bundle, by name), or change what this process trusts.
            "com.sun.org.apache.xalan.",
            "com.sun.org.apache.bcel.",
            "java.io.ObjectStreamClass",
            "java.util.logging.LogRecord",
            "java.security.Provider",
            "java.security.UnresolvedPermission",
            "javax.script.");

    private JdkTypes() {}

    /** Returns whether a class of the JDK that is not an array may be read. */
    static boolean isAllowed(Class<?> type) {
        if (isKeptOut(type)) {
            return false;
        }
        return isException(type)
                || TYPES.contains(type.getName())
                || PACKAGES.contains(type.getPackageName())
                || isOfSecurityProvider(type)
                || (isExported(type) && (type.isInterface() || Enum.class.isAssignableFrom(type) || isValue(type)));
    }

    /** Returns whether a class of the JDK is never read, even if a setting allows it. */
    static boolean isKeptOut(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (KEPT_OUT.contains(at.getName()) || (isInPackageKeptOut(at.getName()) && !isException(type))) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether everything that a class name, or a package name with a full stop, stands for is never read. */
    static boolean isKeptOut(String name) {
        return KEPT_OUT.contains(name) || isInPackageKeptOut(name);
    }

    private static boolean isInPackageKeptOut(String name) {
        for (int end = name.lastIndexOf('.'); end > 0; end = name.lastIndexOf('.', end - 1)) {
            if (KEPT_OUT.contains(name.substring(0, end + 1))) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a class is an exception, with which tasks may end. */
    private static boolean isException(Class<?> type) {
        return Throwable.class.isAssignableFrom(type);
    }

    /**
     * Returns whether a class belongs to a security provider. Keys and certificates are written as values from which a
     * provider creates them; then the filter is asked about the provider's class.
     */
    private static boolean isOfSecurityProvider(Class<?> type) {
        return Key.class.isAssignableFrom(type)
                || Certificate.class.isAssignableFrom(type)
                || CertPath.class.isAssignableFrom(type);
    }

    static boolean isExported(Class<?> type) {
        return type.getModule().isExported(type.getPackageName());
    }

    private static boolean isValue(Class<?> type) {
        return new ValueSearch().isValue(type);
    }

    /** Searches the fields of a class and the classes of these fields. */
    private static final class ValueSearch {

        /** Classes that were met; meeting one again while its fields are searched does not count against it. */
        private final Set<Class<?>> seen = new HashSet<>();

        boolean isValue(Class<?> type) {
            for (Class<?> at = type; Serializable.class.isAssignableFrom(at); at = at.getSuperclass()) {
                if (!isExported(at) || isKeptOut(at) || Externalizable.class.isAssignableFrom(at)) {
                    return false;
                }
                for (Field field : fields(at)) {
                    if (!isPart(Types.element(field.getType()))) {
                        return false;
                    }
                }
            }
            return Serializable.class.isAssignableFrom(type);
        }

        private boolean isPart(Class<?> type) {
            if (type.isPrimitive() || !seen.add(type)) {
                return true;
            }
            if (type.isInterface()) {
                return (Serializable.class.isAssignableFrom(type) && !isKeptOut(type))
                        || PACKAGES.contains(type.getPackageName());
            }
            boolean isKnown =
                    PACKAGES.contains(type.getPackageName()) || isException(type) || Enum.class.isAssignableFrom(type);
            return (isKnown && !isKeptOut(type)) || isValue(type);
        }

        /** Returns the serialized fields of a class without initializing it. */
        private static List<Field> fields(Class<?> type) {
            List<Field> fields = new ArrayList<>();
            for (Field field : type.getDeclaredFields()) {
                if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
                    fields.add(field);
                }
            }
            return fields;
        }
    }
}
