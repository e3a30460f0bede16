// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which classes may be read: the program's own, and of the JDK those that are values or collections. The JVM's own
 * {@code jdk.serialFilter} can only forbid more. Thread-safe.
 *
 * <p>What a class does when it is read cannot be judged here: libraries on the class path count as the program's own.
 */
public final class TypeFilter implements ObjectInputFilter {

    /** How deep objects may be nested: far from the end of a thread's stack of 1 MiB. */
    private static final long GREATEST_DEPTH = 200;

    /** How many objects and references to objects there may be: as many as 1 GiB can hold at ten bytes each. */
    private static final long MOST_REFERENCES = 100_000_000;

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
            "sun.util.calendar.ZoneInfo");

    private final @Nullable ObjectInputFilter processFilter;
    private final ClassValue<Boolean> allowed = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isAllowed(type);
        }
    };

    /** Creates a filter that allows nothing that {@code processFilter} forbids. */
    TypeFilter(@Nullable ObjectInputFilter processFilter) {
        this.processFilter = processFilter;
    }

    public static TypeFilter standard() {
        return new TypeFilter(Config.getSerialFilter());
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
            Class<?> element = Types.element(type);
            return element.getTypeName() + " is not allowed: of the JDK only values and collections are read; "
                    + Hints.insteadOf(element);
        }
        if (processFilter != null && processFilter.checkInput(asWritten(info)) == Status.REJECTED) {
            Class<?> written = asWritten(info).serialClass();
            return (written == null ? "the number of levels, references or bytes" : written.getTypeName())
                    + " is not allowed by this JVM's jdk.serialFilter '" + processFilter
                    + "'; add a pattern that allows it in front";
        }
        return null;
    }

    /** The JVM's filter is asked about the class that is named in the stream. */
    private static FilterInfo asWritten(FilterInfo info) {
        return info.serialClass() == SerializedLambda.class ? new LambdaInfo(info) : info;
    }

    private @Nullable String passedLimit(FilterInfo info) {
        if (info.depth() > GREATEST_DEPTH) {
            return "objects are nested deeper than " + GREATEST_DEPTH
                    + " levels; send a list of the parts instead of a chain of objects";
        }
        if (info.references() > MOST_REFERENCES) {
            return "there are more than " + MOST_REFERENCES + " references to objects; send it in parts";
        }
        return null;
    }

    private static boolean isAllowed(Class<?> type) {
        Class<?> element = Types.element(type);
        boolean askedInParts = Proxy.isProxyClass(element);
        if (element.isPrimitive() || askedInParts || !Types.isOfJdk(element)) {
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

    private record LambdaInfo(FilterInfo info) implements FilterInfo {
        @Override
        public Class<?> serialClass() {
            return java.lang.invoke.SerializedLambda.class;
        }

        @Override
        public long arrayLength() {
            return info.arrayLength();
        }

        @Override
        public long depth() {
            return info.depth();
        }

        @Override
        public long references() {
            return info.references();
        }

        @Override
        public long streamBytes() {
            return info.streamBytes();
        }
    }
}
