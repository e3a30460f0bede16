// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.classloading;

import io.fiber.runtime.process.LookupClient;
import io.fiber.runtime.process.LookupServer;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.ValueCodec;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The classes that a worker has received. {@link #find} blocks until the process that started this one has answered.
 * Thread-safe.
 */
public final class FetchedClasses implements SessionClasses {

    private final LookupClient lookups;
    private final Map<Integer, EditionLoader> loaders = new ConcurrentHashMap<>();
    private volatile @Nullable ValueCodec codec;

    public FetchedClasses(LookupClient lookups) {
        this.lookups = lookups;
    }

    /** Sets the codec for the values of variables, before the first class is requested. */
    public void readVariablesWith(ValueCodec values) {
        codec = values;
    }

    @Override
    public boolean isRemote(Class<?> type) {
        return type.getClassLoader() instanceof EditionLoader;
    }

    /** Only the first process creates editions. An object with classes of several editions belongs to the newest. */
    @Override
    public int editionOf(Map<String, Class<?>> remoteTypes) {
        int newestEdition = NO_EDITION;
        for (Class<?> type : remoteTypes.values()) {
            if (type.getClassLoader() instanceof EditionLoader loader) {
                newestEdition = Math.max(newestEdition, loader.edition());
            }
        }
        return newestEdition;
    }

    @Override
    public EditionLoader loaderOf(int edition) {
        return loaders.computeIfAbsent(edition, number -> new EditionLoader(number, this));
    }

    @Override
    public ClassContent find(int edition, String name) throws IOException {
        return loaderOf(edition).content(name);
    }

    ClassContent fetch(int edition, String name) throws IOException {
        PayloadOutput question = new PayloadOutput();
        question.writeInt(edition);
        question.writeText(name);
        return ClassContent.readFrom(lookups.ask(LookupServer.CLASS, question.toPayload()));
    }

    void setVariables(Class<?> type, ClassContent content) throws IOException {
        ValueCodec values = codec;
        if (values != null && content.variables().length > 0) {
            Variables.decode(content.variables(), type, values);
        }
    }
}
