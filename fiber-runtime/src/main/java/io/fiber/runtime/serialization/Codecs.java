// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.runtime.serialization.functions.ProgramClasses;
import io.fiber.spi.Options;
import io.fiber.spi.serializer.ObjectSerializer;
import io.fiber.spi.serializer.SerializerContext;
import io.fiber.spi.serializer.SerializerProvider;
import java.io.ObjectInputFilter;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * Converts objects to bytes in one process. Thread-safe.
 *
 * @param values arguments, functions and results
 * @param failures exceptions
 */
public record Codecs(ValueCodec values, FailureCodec failures) {

    private static final long LATER_NS = 1_000_000_000;

    private record Context(ClassLoader classLoader, ObjectInputFilter filter, Options options)
            implements SerializerContext {}

    /**
     * The process in which values are written and read.
     *
     * @param classPath the part of the program's class path that is read there under the same paths
     */
    public record Place(Side side, ClassPathSnapshot classPath) {

        /** Creates a place that shares no files with others. */
        public Place(Side side) {
            this(side, ClassPathSnapshot.NONE);
        }

        private ValueCodec values(ObjectSerializer serializer, Runnable beforeFunction) {
            Executor later = side == Side.WORKER ? later() : work -> {};
            return new ValueCodec(
                    serializer, side, new ProgramClasses(programLoader(), classPath, later), beforeFunction);
        }

        /** Returns an executor for work that must not delay a program's first results. */
        @SuppressWarnings("FutureReturnValueIgnored") // a class that does not load is met again when it is needed
        private static Executor later() {
            ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, work -> {
                Thread made = new Thread(work, "fiber-class-loading");
                made.setDaemon(true);
                return made;
            });
            thread.setKeepAliveTime(LATER_NS, TimeUnit.NANOSECONDS);
            thread.allowCoreThreadTimeOut(true);
            return work -> thread.schedule(work, LATER_NS, TimeUnit.NANOSECONDS);
        }
    }

    /**
     * The choice of a serializer.
     *
     * @param filter determines the classes that may be read
     */
    public record Choice(SerializerProvider provider, Options options, TypeFilter filter) {}

    /** Returns the codecs of a process that shares no files with others and uses the default filter. */
    public static Codecs of(
            SerializerProvider provider, Options options, Side side, UnaryOperator<ObjectSerializer> binding) {
        return of(new Choice(provider, options, TypeFilter.standard()), new Place(side), binding);
    }

    /**
     * Returns the codecs of a process with the program's own class loader.
     *
     * @param binding connects the serializer with the process, so that deserialized handles know their process
     */
    public static Codecs of(Choice choice, Place place, UnaryOperator<ObjectSerializer> binding) {
        Context context = new Context(programLoader(), choice.filter(), choice.options());
        ObjectSerializer serializer = choice.provider().create(context);
        return new Codecs(
                place.values(binding.apply(serializer), () -> {}), new FailureCodec(serializer, place.side(), binding));
    }

    /**
     * Returns codecs with Java serialization for a process with classes that travel.
     *
     * @param binding puts the process around the serializer, so that handles among what is read know where they are
     */
    public static Codecs withRemoteClasses(
            RemoteClassResolver resolver, TypeFilter filter, Place place, UnaryOperator<ObjectSerializer> binding) {
        JavaSerializer standard = new JavaSerializer(programLoader(), filter);
        ObjectSerializer serializer = new RemoteClassSerializer(standard, resolver);
        return new Codecs(
                place.values(binding.apply(serializer), resolver::refresh),
                new FailureCodec(serializer, place.side(), binding));
    }

    /** Returns the loader of the program's classes, as far as the calling thread knows. */
    public static ClassLoader programLoader() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null ? ClassLoader.getSystemClassLoader() : context;
    }
}
