// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.platform.Types;
import java.io.Externalizable;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Optional;

/**
 * Why an object stream can write objects of a class but not read them. To read, it calls the constructor without
 * parameters of the nearest superclass that is not serializable, or of an {@code Externalizable} class itself.
 *
 * @param type the class whose objects cannot be made
 * @param holder the class that lacks the constructor
 */
record NoConstructor(Class<?> type, Class<?> holder) {

    private static final ClassValue<Optional<NoConstructor>> KNOWN = new ClassValue<>() {
        @Override
        protected Optional<NoConstructor> computeValue(Class<?> type) {
            return Optional.of(type)
                    .filter(made -> !isMadeOtherwise(made))
                    .map(made -> new NoConstructor(made, holder(made)))
                    .filter(reason -> !hasConstructor(reason.type(), reason.holder()));
        }
    };

    /** Returns the reason; empty if objects of the class can be read. */
    static Optional<NoConstructor> of(Class<?> type) {
        return KNOWN.get(type);
    }

    private static boolean isMadeOtherwise(Class<?> type) {
        return !Serializable.class.isAssignableFrom(type)
                || type.isInterface()
                || type.isArray()
                || type.isRecord()
                || Enum.class.isAssignableFrom(type)
                || Modifier.isAbstract(type.getModifiers())
                || Types.isOfJdk(type)
                || isReplaced(type);
    }

    private static boolean isReplaced(Class<?> type) {
        for (Class<?> at = type; at != null && !Types.isOfJdk(at); at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                if (method.getName().equals("writeReplace") && method.getParameterCount() == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Class<?> holder(Class<?> type) {
        Class<?> holder = type;
        while (Serializable.class.isAssignableFrom(holder) && !Externalizable.class.isAssignableFrom(type)) {
            holder = holder.getSuperclass();
        }
        return holder;
    }

    private static boolean hasConstructor(Class<?> type, Class<?> holder) {
        try {
            Constructor<?> constructor = holder.getDeclaredConstructor();
            int modifiers = constructor.getModifiers();
            if (holder == type) {
                return Modifier.isPublic(modifiers);
            }
            return Modifier.isPublic(modifiers)
                    || Modifier.isProtected(modifiers)
                    || (!Modifier.isPrivate(modifiers) && isSamePackage(type, holder));
        } catch (NoSuchMethodException missing) {
            return false;
        } catch (LinkageError unknown) {
            return true;
        }
    }

    private static boolean isSamePackage(Class<?> type, Class<?> holder) {
        return type.getClassLoader() == holder.getClassLoader()
                && type.getPackageName().equals(holder.getPackageName());
    }

    /** Returns the problem and its solution, in whole sentences. */
    String describe() {
        if (holder == type) {
            return "It is Externalizable and has no public constructor without parameters: give it one.";
        }
        return "Its superclass " + holder.getName()
                + " is not Serializable and has no constructor without parameters that " + type.getSimpleName()
                + " may call: give it one, let it implement java.io.Serializable, or send a record.";
    }
}
