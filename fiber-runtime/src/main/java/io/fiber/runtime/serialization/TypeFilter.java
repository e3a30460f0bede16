// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.ConfigurationException;
import io.fiber.runtime.platform.Types;
import io.fiber.runtime.serialization.functions.SerializedLambda;
import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which classes may be read: the program's own, those of the JDK that are values or collections ({@link
 * JdkTypes}), and those in the setting {@code allowed-classes}. The JVM's own {@code jdk.serialFilter} can only forbid
 * more. Thread-safe.
 *
 * <p>The filter cannot judge what a class does when it is read; libraries on the class path count as the program's own.
 */
public final class TypeFilter implements ObjectInputFilter {

    /** The maximum number of objects and references: as many as fit into 1 GiB at ten bytes each. */
    private static final long MOST_REFERENCES = 100_000_000;

    private static final String ANY_OF_PACKAGE = ".*";

    private final @Nullable ObjectInputFilter processFilter;
    private final Set<String> named;
    private final ClassValue<Boolean> allowed = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return decide(type);
        }
    };

    /** Creates a filter that allows nothing that {@code processFilter} forbids. */
    TypeFilter(@Nullable ObjectInputFilter processFilter) {
        this(processFilter, List.of());
    }

    private TypeFilter(@Nullable ObjectInputFilter processFilter, List<String> named) {
        this.processFilter = processFilter;
        this.named = Set.copyOf(named);
    }

    public static TypeFilter standard() {
        return allowing(List.of());
    }

    /**
     * Returns a filter that also allows these classes of the JDK.
     *
     * @param names names of classes, or of packages with {@code .*} behind them
     * @throws ConfigurationException FBR-121 if one of them is never read
     */
    public static TypeFilter allowing(List<String> names) {
        for (String name : names) {
            String meant = name.endsWith(ANY_OF_PACKAGE) ? name.substring(0, name.length() - 1) : name;
            if (JdkTypes.isKeptOut(meant)) {
                throw new ConfigurationException("FBR-121 Setting 'allowed-classes' names '" + name
                        + "', which Fiber never deserializes: an attacker could use it to run code, open connections"
                        + " or read bytes past the filter. Remove it from the setting, and copy its data into a record"
                        + " of your own.");
            }
        }
        return new TypeFilter(Config.getSerialFilter(), names);
    }

    @Override
    public Status checkInput(FilterInfo info) {
        if (isTooDeep(info) || refusal(info) != null) {
            return Status.REJECTED;
        }
        return info.serialClass() == null ? Status.UNDECIDED : Status.ALLOWED;
    }

    /** Returns whether an object is nested too deeply for the stack of the thread that reads it. */
    static boolean isTooDeep(FilterInfo info) {
        return info.depth() > DeepStack.levels();
    }

    /** Returns why an object at any depth may not be read; null if it may. */
    @Nullable
    String refusal(FilterInfo info) {
        if (info.references() > MOST_REFERENCES) {
            return "there are more than " + MOST_REFERENCES + " references to objects; send it in parts";
        }
        Class<?> type = info.serialClass();
        if (type != null && !allowed.get(type)) {
            Class<?> element = Types.element(type);
            return element.getTypeName() + " is not allowed: from the JDK, Fiber reads only values and collections; "
                    + Hints.insteadOf(element);
        }
        if (processFilter != null && processFilter.checkInput(asWritten(info)) == Status.REJECTED) {
            Class<?> written = asWritten(info).serialClass();
            return (written == null ? "the number of levels, references or bytes" : written.getTypeName())
                    + " is not allowed by this JVM's jdk.serialFilter '" + processFilter
                    + "'; put a pattern that allows it at the front";
        }
        return null;
    }

    /**
     * Asks the JVM's filter about the class that is named in the stream. Fiber's own mark in an exception does not
     * concern the program: a list of allowed classes lacks it, and exceptions would silently lose what it stands for.
     */
    private static FilterInfo asWritten(FilterInfo info) {
        if (info.serialClass() == SerializedLambda.class) {
            return new OtherClassInfo(info, java.lang.invoke.SerializedLambda.class);
        }
        return info.serialClass() == Placeholder.class ? new OtherClassInfo(info, null) : info;
    }

    boolean isAllowed(Class<?> type) {
        return allowed.get(type);
    }

    private boolean decide(Class<?> type) {
        Class<?> element = Types.element(type);
        boolean askedInParts = Proxy.isProxyClass(element);
        return element.isPrimitive()
                || askedInParts
                || !Types.isOfJdk(element)
                || JdkTypes.isAllowed(element)
                || (isNamed(element) && !JdkTypes.isKeptOut(element));
    }

    private boolean isNamed(Class<?> type) {
        return named.contains(type.getName()) || named.contains(type.getPackageName() + ANY_OF_PACKAGE);
    }

    /** Has the limits of {@code info}; without a class, only the limits are checked. */
    private record OtherClassInfo(FilterInfo info, @Nullable Class<?> serialClass) implements FilterInfo {
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
