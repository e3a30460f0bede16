// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.classloading;

import io.fiber.runtime.platform.Types;
import io.fiber.runtime.protocol.RefusedLookupException;
import io.fiber.runtime.serialization.ValueCodec;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The classes of the first process of a program; every class outside the JDK may be sent. It keeps the class loaders
 * that it has found, and what it has sent, for the life of the session. Reads class files through their loaders.
 * Thread-safe.
 */
public final class SentClasses implements SessionClasses {

    /** Files do not change while a program runs, but a shell's classes in memory do. */
    private static final Set<String> UNCHANGING = Set.of("file", "jar", "jrt");

    /** By their numbers, starting at 1. */
    private final List<ClassEdition> editions = new ArrayList<>();

    private @Nullable ValueCodec codec;

    /** Sets the codec for the values of JShell's variables. Call it before the first class is requested. */
    public synchronized void writeVariablesWith(ValueCodec values) {
        codec = values;
    }

    @Override
    public boolean isRemote(Class<?> type) {
        return !Types.isOfJdk(type);
    }

    @Override
    public synchronized int editionOf(Map<String, Class<?>> remoteTypes) {
        for (int i = editions.size() - 1; i >= 0; i--) {
            if (editions.get(i).admits(remoteTypes)) {
                editions.get(i).add(remoteTypes);
                return i + 1;
            }
        }
        ClassEdition edition = new ClassEdition();
        edition.add(remoteTypes);
        editions.add(edition);
        return editions.size();
    }

    @Override
    public synchronized void refresh() {
        if (!editions.isEmpty() && hasChanged(editions.get(editions.size() - 1))) {
            editions.add(editions.get(editions.size() - 1).next());
        }
    }

    private boolean hasChanged(ClassEdition edition) {
        for (Map.Entry<String, ClassContent> sent : edition.sent().entrySet()) {
            for (ClassLoader loader : edition.candidates(sent.getKey())) {
                URL url = loader.getResource(pathOf(sent.getKey()));
                if (url != null && !UNCHANGING.contains(url.getProtocol())) {
                    ClassContent now = read(loader, sent.getKey());
                    if (now != null && !now.isSameAs(sent.getValue())) {
                        return true;
                    }
                    break;
                }
            }
        }
        return false;
    }

    @Override
    public ClassLoader loaderOf(int edition) throws IOException {
        List<ClassLoader> loaders;
        synchronized (this) {
            loaders = edition(edition).candidates("");
        }
        return loaders.size() == 1 ? loaders.get(0) : new Joined(edition);
    }

    private ClassEdition edition(int number) throws IOException {
        if (number < 1 || number > editions.size()) {
            throw new IOException("There is no edition " + number + " of the classes of this session.");
        }
        return editions.get(number - 1);
    }

    @Override
    public synchronized ClassContent find(int number, String name) throws IOException {
        ClassEdition edition = edition(number);
        ClassContent sent = edition.sent().get(name);
        if (sent != null) {
            return sent;
        }
        for (ClassLoader loader : edition.candidates(name)) {
            ClassContent content = read(loader, name);
            if (content != null) {
                edition.sent().put(name, content);
                return content;
            }
        }
        throw missing(edition, name);
    }

    private static IOException missing(ClassEdition edition, String name) {
        for (ClassLoader loader : edition.candidates(name)) {
            try {
                Class<?> known = Class.forName(name, false, loader);
                return new RefusedLookupException(
                        "FBR-500",
                        "class " + name + " cannot be sent: its loader " + known.getClassLoader()
                                + " does not return its class file (getResourceAsStream(\"" + pathOf(name)
                                + "\")). Put the jar or directory that contains the class on the class path of the"
                                + " worker, or compile the class with a loader that keeps class files.");
            } catch (ClassNotFoundException | LinkageError e) {
                // Another loader may know it.
            }
        }
        return new IOException(name + " is not known to the first process of the program either.");
    }

    /** Returns the parts of a class to send; null if the loader does not have it. */
    private @Nullable ClassContent read(ClassLoader loader, String name) {
        try (InputStream in = open(loader, name)) {
            if (in == null) {
                return null;
            }
            byte[] classFile = in.readAllBytes();
            return new ClassContent(classFile, Variables.isSnippet(name) ? variables(loader, name) : new byte[0]);
        } catch (IOException e) {
            return null;
        }
    }

    /**
     * A loader that compiles a class when it is loaded, such as that of {@code java Main.java}, has no file for it
     * before.
     */
    private static @Nullable InputStream open(ClassLoader loader, String name) {
        InputStream in = loader.getResourceAsStream(pathOf(name));
        if (in != null) {
            return in;
        }
        try {
            boolean isItsOwn = Class.forName(name, false, loader).getClassLoader() == loader;
            return isItsOwn ? loader.getResourceAsStream(pathOf(name)) : null;
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    private byte[] variables(ClassLoader loader, String name) {
        ValueCodec values = codec;
        try {
            Class<?> type = Class.forName(name, false, loader);
            return values == null ? new byte[0] : Variables.encode(type, values);
        } catch (ClassNotFoundException | LinkageError e) {
            return new byte[0];
        }
    }

    private static String pathOf(String name) {
        return name.replace('.', '/') + ".class";
    }

    /** Combines the classes of several loaders. */
    private final class Joined extends ClassLoader {
        private final int edition;

        Joined(int edition) {
            super("fiber-edition-" + edition, ClassLoader.getPlatformClassLoader());
            this.edition = edition;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            List<ClassLoader> candidates;
            synchronized (SentClasses.this) {
                candidates = editions.get(edition - 1).candidates(name);
            }
            for (ClassLoader loader : candidates) {
                try {
                    return Class.forName(name, false, loader);
                } catch (ClassNotFoundException e) {
                    // Another one may know it.
                }
            }
            throw new ClassNotFoundException(name);
        }
    }
}
