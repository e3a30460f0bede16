// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.platform.Types;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JDK's serialization, with the number of an edition of classes before each object. Thread-safe. */
public final class RemoteClassSerializer implements SubstitutingSerializer {

    private final JavaSerializer serializer;
    private final RemoteClassResolver resolver;

    public RemoteClassSerializer(JavaSerializer standard, RemoteClassResolver resolver) {
        this.serializer = standard;
        this.resolver = resolver;
    }

    @Override
    public void write(@Nullable Object value, OutputStream out) throws IOException {
        write(value, (PayloadOutput) out, new NamingOutput(out, null));
    }

    @Override
    public void write(Object value, OutputStream out, Substitution substitution) throws IOException {
        write(value, (PayloadOutput) out, new NamingOutput(out, substitution));
    }

    private void write(@Nullable Object value, PayloadOutput out, NamingOutput objects) throws IOException {
        long at = out.length();
        out.writeInt(RemoteClassResolver.NO_EDITION);
        objects.writeWhole(value);
        if (!objects.remoteTypes.isEmpty()) {
            out.setInt(at, resolver.editionOf(objects.remoteTypes));
        }
    }

    @Override
    public boolean isReadable(Class<?> type) {
        return serializer.isReadable(type);
    }

    /** Records the classes that are named in the output. */
    private final class NamingOutput extends JavaSerializer.HeadlessOutput {

        private final Map<String, Class<?>> remoteTypes = new HashMap<>(4);

        NamingOutput(OutputStream out, @Nullable Substitution substitution) throws IOException {
            super(out, substitution);
        }

        @Override
        protected void annotateClass(Class<?> type) throws IOException {
            super.annotateClass(type);
            Class<?> element = Types.element(type);
            if (resolver.isRemote(element)) {
                Class<?> other = remoteTypes.putIfAbsent(element.getName(), element);
                if (other != null && other != element) {
                    throw new InvalidClassException(
                            element.getName(),
                            "two classes have this name, in the class loaders " + other.getClassLoader()
                                    + " and " + element.getClassLoader() + ", and only one of them can be sent with"
                                    + " an object");
                }
            }
        }

        @Override
        protected void annotateProxyClass(Class<?> type) throws IOException {
            for (Class<?> interfaceOfIt : type.getInterfaces()) {
                annotateClass(interfaceOfIt);
            }
        }
    }

    @Override
    public @Nullable Object read(InputStream in) throws IOException, ClassNotFoundException {
        int edition = ((PayloadInput) in).readInt();
        return edition == RemoteClassResolver.NO_EDITION
                ? serializer.read(in)
                : serializer.read(in, resolver.loaderOf(edition));
    }

    @Override
    public @Nullable Object read(InputStream in, Substitution substitution) throws IOException, ClassNotFoundException {
        int edition = ((PayloadInput) in).readInt();
        return edition == RemoteClassResolver.NO_EDITION
                ? serializer.read(in, substitution)
                : serializer.read(in, resolver.loaderOf(edition), substitution);
    }
}
