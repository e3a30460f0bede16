// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Loads all of Fiber and the simulation once more, one source of them changed: so the classes that are shipped know nothing
 * of their mutants.
 */
final class MutantLoader extends ClassLoader {

    private static final Path SOURCES = Path.of("src/main/java/io/fiber/runtime");
    private static final String OURS = "io.fiber.";

    private final Map<String, byte[]> changed;

    private MutantLoader(Map<String, byte[]> changed) {
        super(MutantLoader.class.getClassLoader());
        this.changed = changed;
    }

    /** Returns a loader of classes with this bug in them. */
    static MutantLoader of(Mutant mutant) {
        try {
            return new MutantLoader(compile(mutant.name(), List.of(unit(mutant.source(), sourceOf(mutant)))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the source with the bug in it. */
    static String sourceOf(Mutant mutant) throws IOException {
        String source = Files.readString(SOURCES.resolve(mutant.source() + ".java"));
        int at = source.indexOf(mutant.right());
        if (at < 0 || source.indexOf(mutant.right(), at + 1) >= 0) {
            throw new AssertionError("The mutant '" + mutant.name() + "' changes a piece of " + mutant.source()
                    + " that does not stand there exactly once. Bring it up to date in Mutants: " + mutant.right());
        }
        return source.replace(mutant.right(), mutant.wrong());
    }

    /** Returns a loader of classes that come the same way, from these sources as they are. */
    static MutantLoader ofUnchanged(Set<String> sources) {
        List<JavaFileObject> units = new ArrayList<>();
        try {
            for (String source : sources) {
                units.add(unit(source, Files.readString(SOURCES.resolve(source + ".java"))));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new MutantLoader(compile("nothing is changed", units));
    }

    private static JavaFileObject unit(String name, String source) {
        return new SimpleJavaFileObject(
                URI.create("mutant:///io/fiber/runtime/" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }

    private static Map<String, byte[]> compile(String what, List<JavaFileObject> units) {
        JavaCompiler compiler = requireNonNull(ToolProvider.getSystemJavaCompiler(), "no compiler: run with a JDK");
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        Memory memory = new Memory(compiler.getStandardFileManager(diagnostics, null, null));
        List<String> options =
                List.of("-proc:none", "-nowarn", "-parameters", "-classpath", System.getProperty("java.class.path"));
        boolean compiled = compiler.getTask(null, memory, diagnostics, options, null, units)
                .call();
        if (!compiled) {
            List<Diagnostic<? extends JavaFileObject>> faults = diagnostics.getDiagnostics();
            throw new AssertionError("The mutant '" + what + "' does not compile: " + faults);
        }
        return memory.classes();
    }

    /** Tells whether a class of this name comes from the compiler that is asked here. */
    boolean isCompiledHere(String name) {
        return changed.containsKey(name);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null && name.startsWith(OURS)) {
                byte[] bytes = bytes(name);
                loaded = defineClass(name, bytes, 0, bytes.length);
            }
            return loaded == null ? super.loadClass(name, resolve) : loaded;
        }
    }

    private byte[] bytes(String name) throws ClassNotFoundException {
        byte[] mutated = changed.get(name);
        if (mutated != null) {
            return mutated;
        }
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    /** Keeps what the compiler writes. */
    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

        Memory(JavaFileManager standard) {
            super(standard);
        }

        Map<String, byte[]> classes() {
            Map<String, byte[]> classes = new HashMap<>();
            written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
            return classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("mutant:///" + name + ".class"), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    written.put(name, bytes);
                    return bytes;
                }
            };
        }
    }
}
