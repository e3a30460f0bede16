// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which classes may be read: the program's own, and of the JDK those that are values or collections. A pattern
 * list can only forbid more, and so can the JVM's own {@code jdk.serialFilter}. Thread-safe.
 *
 * <p>What a class does when it is read cannot be judged here: libraries on the class path count as the program's own.
 */
public final class TypeFilter implements ObjectInputFilter {

    private static final String ZONE_INFO = "sun.util.calendar.ZoneInfo";

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

    private static final Set<String> TYPES = Set.of(
            "java.io.File",
            "java.lang.Boolean",
            "java.lang.Byte",
            "java.lang.Character",
            "java.lang.Class",
            "java.lang.Double",
            "java.lang.Enum",
            "java.lang.Float",
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Number",
            "java.lang.Object",
            "java.lang.Record",
            "java.lang.Short",
            "java.lang.StackTraceElement",
            "java.lang.String",
            "java.lang.StringBuffer",
            "java.lang.StringBuilder",
            "java.lang.invoke.SerializedLambda",
            "java.lang.reflect.Proxy",
            "java.net.Inet4Address",
            "java.net.Inet6Address",
            "java.net.InetAddress",
            "java.net.InetSocketAddress",
            "java.net.SocketAddress",
            "java.net.URI",
            "java.sql.Date",
            "java.sql.Time",
            "java.sql.Timestamp",
            "java.util.regex.Pattern",
            ZONE_INFO);

    private final TypeLimits limits;
    private final Optional<String> patterns;
    private final Optional<ObjectInputFilter> patternFilter;
    private final Optional<ObjectInputFilter> processFilter;
    private final ClassValue<Boolean> allowed = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isAllowed(type);
        }
    };

    /** Creates a filter with these limits. */
    public TypeFilter(TypeLimits limits) {
        this(limits, Optional.empty(), Optional.ofNullable(Config.getSerialFilter()));
    }

    /**
     * Creates a filter that allows nothing that a pattern list forbids.
     *
     * @param patterns in the syntax of {@link Config#createFilter}, for example {@code com.acme.*;java.base/*;!*}
     * @throws IllegalArgumentException when they are not in that syntax
     */
    public TypeFilter(TypeLimits limits, String patterns) {
        this(limits, Optional.of(patterns), Optional.ofNullable(Config.getSerialFilter()));
    }

    TypeFilter(TypeLimits limits, Optional<String> patterns, Optional<ObjectInputFilter> processFilter) {
        this.limits = limits;
        this.patterns = patterns;
        this.patternFilter = patterns.map(Config::createFilter);
        this.processFilter = processFilter;
    }

    /** Returns the filter that holds unless another is given. */
    public static TypeFilter standard() {
        return new TypeFilter(TypeLimits.standard());
    }

    @Override
    public Status checkInput(FilterInfo info) {
        if (refusal(info) != null) {
            return Status.REJECTED;
        }
        return info.serialClass() == null ? Status.UNDECIDED : Status.ALLOWED;
    }

    /** Returns why something may not be read, null when it may. */
    @Nullable
    String refusal(FilterInfo info) {
        String limit = passedLimit(info);
        if (limit != null) {
            return limit;
        }
        Class<?> type = info.serialClass();
        if (type != null && !allowed.get(type)) {
            Class<?> element = element(type);
            return element.getTypeName() + " is not allowed: of the JDK only values and collections are read; "
                    + Hints.insteadOf(element);
        }
        if (patternFilter.isPresent() && patternFilter.get().checkInput(info) == Status.REJECTED) {
            return described(info) + " is not allowed by the pattern list '" + patterns.orElseThrow()
                    + "'; add a pattern that allows it in front";
        }
        if (processFilter.isPresent() && processFilter.get().checkInput(info) == Status.REJECTED) {
            return described(info) + " is not allowed by this JVM's jdk.serialFilter '" + processFilter.get()
                    + "'; add a pattern that allows it in front";
        }
        return null;
    }

    private @Nullable String passedLimit(FilterInfo info) {
        if (info.depth() > limits.depth()) {
            return "objects are nested deeper than " + limits.depth()
                    + " levels; send a list of the parts instead of a chain of objects";
        }
        if (info.references() > limits.references()) {
            return "there are more than " + limits.references() + " references to objects; send it in parts";
        }
        if (info.arrayLength() > limits.arrayLength()) {
            return "an array of " + info.arrayLength() + " elements is longer than " + limits.arrayLength()
                    + "; send it in parts";
        }
        if (info.streamBytes() > limits.bytes()) {
            return "there are more than " + limits.bytes() + " bytes; send it in parts";
        }
        return null;
    }

    private static String described(FilterInfo info) {
        Class<?> type = info.serialClass();
        return type == null ? "the number of levels, references or bytes" : type.getTypeName();
    }

    private static boolean isAllowed(Class<?> type) {
        Class<?> element = element(type);
        boolean askedInParts = Proxy.isProxyClass(element);
        if (element.isPrimitive() || askedInParts || !isOfJdk(element)) {
            return true;
        }
        String name = element.getName();
        return TYPES.contains(name) || PACKAGES.contains(element.getPackageName()) || isHarmlessKind(element);
    }

    /** An interface holds nothing, an enum constant is one of few, a Throwable is what tasks end with. */
    private static boolean isHarmlessKind(Class<?> type) {
        return type.getName().startsWith("java.")
                && !type.getName().startsWith("java.rmi.")
                && (type.isInterface() || Enum.class.isAssignableFrom(type) || Throwable.class.isAssignableFrom(type));
    }

    /** Some modules of the JDK are loaded by the loader of the program. */
    private static boolean isOfJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        if (loader == null || loader == ClassLoader.getPlatformClassLoader()) {
            return true;
        }
        String module = type.getModule().getName();
        return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
    }

    private static Class<?> element(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return element;
    }

    @Override
    public String toString() {
        return "TypeFilter[" + limits + ", patterns " + patterns.orElse("none") + ", jdk.serialFilter "
                + processFilter.map(Object::toString).orElse("none") + "]";
    }
}
