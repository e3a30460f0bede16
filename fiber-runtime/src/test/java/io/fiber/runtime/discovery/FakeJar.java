// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.Provider;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles providers and packs them into a jar, as a third party would publish them. */
final class FakeJar {

    private final Map<String, String> sources = new LinkedHashMap<>();
    private final Map<String, String> services = new LinkedHashMap<>();
    private String version = "";

    /** Adds a backend whose probe and further members are Java source. */
    FakeJar backend(String className, String name, String probe, String... members) {
        return provider(
                "io.fiber.spi.backend.BackendProvider",
                className,
                name,
                "public Probe probe(Environment e) { " + probe + " }"
                        + "public io.fiber.spi.backend.Backend create(io.fiber.spi.backend.BackendContext c)"
                        + " { throw new IllegalStateException(); }"
                        + String.join("", members));
    }

    FakeJar transport(String className, String name) {
        return provider(
                "io.fiber.spi.transport.TransportProvider",
                className,
                name,
                "public java.util.List<String> jvmOptions(CodePath p) { return java.util.List.of(); }"
                        + "public io.fiber.spi.transport.Transport create(io.fiber.spi.transport.TransportContext c)"
                        + " { throw new IllegalStateException(); }");
    }

    FakeJar serializer(String className, String name) {
        return provider(
                "io.fiber.spi.serializer.SerializerProvider",
                className,
                name,
                "public io.fiber.spi.serializer.ObjectSerializer create(io.fiber.spi.serializer.SerializerContext c)"
                        + " { throw new IllegalStateException(); }");
    }

    /** Adds a line to a services file, for a class that need not exist. */
    FakeJar service(String service, String line) {
        services.merge("META-INF/services/" + service, line + "\n", String::concat);
        return this;
    }

    FakeJar version(String text) {
        version = text;
        return this;
    }

    private FakeJar provider(String service, String className, String name, String members) {
        sources.put(
                className,
                "package fake; import io.fiber.spi.*; import io.fiber.spi.backend.*; import java.util.*;\n"
                        + "public class " + className + " implements " + service + " {\n"
                        + "public String name() { return \"" + name + "\"; }\n" + members + "}");
        return service(service, "fake." + className);
    }

    /** Writes the jar; classes named in {@code without} are compiled but left out. */
    Path write(Path jar, String... without) throws IOException {
        Path classes = Files.createTempDirectory(jar.getParent(), "classes");
        compile(classes);
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (!version.isEmpty()) {
            manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        }
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String entry = classes.relativize(file).toString().replace('\\', '/');
                if (!List.of(without).contains(entry)) {
                    put(out, entry, Files.readAllBytes(file));
                }
            }
            for (Map.Entry<String, String> service : services.entrySet()) {
                put(out, service.getKey(), service.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }

    private void compile(Path classes) throws IOException {
        if (sources.isEmpty()) {
            return;
        }
        List<SimpleJavaFileObject> units = new ArrayList<>();
        sources.forEach((name, text) -> units.add(
                new SimpleJavaFileObject(
                        URI.create("string:///fake/" + name + ".java"), SimpleJavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return text;
                    }
                }));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options = List.of(
                "--release",
                "17",
                "-proc:none",
                "-d",
                classes.toString(),
                "-cp",
                pathOf(Provider.class).toString());
        assertThat(compiler.getTask(messages, null, null, options, null, units).call())
                .describedAs(messages.toString())
                .isTrue();
    }

    static Path pathOf(Class<?> type) {
        return Path.of(URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    /** Returns a class loader that sees the providers of these jars only, not those of the test's own class path. */
    static URLClassLoader loader(Path... jars) throws IOException {
        URL[] urls = new URL[jars.length];
        for (int i = 0; i < jars.length; i++) {
            urls[i] = jars[i].toUri().toURL();
        }
        return new URLClassLoader(urls, FakeJar.class.getClassLoader()) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                return findResources(name);
            }
        };
    }

    private static void put(JarOutputStream out, String name, byte[] content) throws IOException {
        out.putNextEntry(new JarEntry(name));
        out.write(content);
        out.closeEntry();
    }
}
