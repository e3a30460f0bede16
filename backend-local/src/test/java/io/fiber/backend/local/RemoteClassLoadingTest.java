// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.Pool;
import io.fiber.function.RemoteFunction;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program with plug-ins: classes that are on no class path, and so unknown to workers. */
@Tag("slow")
class RemoteClassLoadingTest {

    private static final String PLUGIN = """
            package plugin;
            import io.fiber.function.RemoteFunction;
            public final class Plugin implements RemoteFunction<Integer, Object> {
                public record Answer(int value, String by) implements java.io.Serializable {}
                @Override
                public Object apply(Integer x) {
                    RemoteFunction<Integer, Integer> step = y -> Steps.step(y) + x;
                    try {
                        return new Answer(step.apply(x), Plugin.class.getClassLoader().getName());
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
            final class Steps {
                static int step(int y) { return y * FACTOR; }
            }
            """;

    @TempDir
    Path directory;

    private URLClassLoader loader;

    @BeforeEach
    void compile() throws IOException {
        loader = plugin("ten", 10);
    }

    @AfterEach
    void close() throws IOException {
        loader.close();
    }

    private URLClassLoader plugin(String name, int factor) throws IOException {
        Path home = Files.createDirectories(directory.resolve(name));
        Path source = home.resolve("Plugin.java");
        Files.writeString(source, PLUGIN.replace("FACTOR", Integer.toString(factor)));
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-d",
                        home.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "" + source);
        assertThat(result).as("the plug-in compiles").isZero();
        return new URLClassLoader(new URL[] {home.toUri().toURL()}, getClass().getClassLoader());
    }

    @SuppressWarnings("unchecked")
    private static RemoteFunction<Integer, Object> function(ClassLoader from) {
        try {
            return (RemoteFunction<Integer, Object>)
                    from.loadClass("plugin.Plugin").getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static FiberBuilder travelling() {
        return LocalFiber.builder().set("remote-class-loading", "on");
    }

    @Test
    void classesOfAPluginAndOfItsResultsTravel() {
        try (Fiber fiber = travelling().open();
                Pool pool = fiber.pool(2)) {
            List<Object> answers = pool.map(function(loader), List.of(1, 2, 3));

            assertThat(answers)
                    .extracting(Object::toString)
                    .containsExactly(
                            "Answer[value=11, by=fiber-edition-1]",
                            "Answer[value=22, by=fiber-edition-1]",
                            "Answer[value=33, by=fiber-edition-1]");
            assertThat(answers.get(0).getClass().getClassLoader()).isSameAs(loader);
            assertThat(pool.map(answer -> answer, answers)).isEqualTo(answers);
        }
    }

    @Test
    void twoVersionsOfAPluginDoNotMix() throws IOException {
        try (URLClassLoader other = plugin("hundred", 100);
                Fiber fiber = travelling().open();
                Pool pool = fiber.pool(1)) {
            RemoteFunction<Integer, Object> ten = function(loader);
            RemoteFunction<Integer, Object> hundred = function(other);

            assertThat(pool.apply(ten, 1)).hasToString("Answer[value=11, by=fiber-edition-1]");
            Object answer = pool.apply(hundred, 1);
            assertThat(answer).hasToString("Answer[value=101, by=fiber-edition-2]");
            assertThat(answer.getClass().getClassLoader()).isSameAs(other);
            assertThat(pool.apply(ten, 2)).hasToString("Answer[value=22, by=fiber-edition-1]");
            List<Object> both = List.of(ten, hundred);
            assertThatThrownBy(() -> pool.apply(any -> any, both)).hasMessageContaining("two classes have this name");
        }
    }

    @Test
    void classesTravelOverSealedLinks() {
        try (Fiber fiber = SealedSessions.builder(new Interceptor())
                        .set("remote-class-loading", "on")
                        .open();
                Pool pool = fiber.pool(1)) {
            assertThat(pool.apply(function(loader), 4)).hasToString("Answer[value=44, by=fiber-edition-1]");
        }
    }

    @Test
    void withoutTravelTheErrorNamesTheClass() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            assertThatThrownBy(() -> pool.apply(function(loader), 1))
                    .hasMessageContaining("FBR-202")
                    .hasMessageContaining("class plugin.Plugin is missing there");
        }
    }

    @Test
    void classWhoseLoaderGivesNoBytesIsNamed() throws IOException {
        ClassLoader silent = new Silent(loader);
        try (Fiber fiber = travelling().open();
                Pool pool = fiber.pool(1)) {
            assertThatThrownBy(() -> pool.apply(function(silent), 1))
                    .hasMessageContaining("FBR-500 ", "class plugin.Plugin cannot be sent: its loader")
                    .hasMessageContaining("does not return its class file");
        }
    }

    /** Defines the classes of another loader, and keeps their bytes to itself. */
    private static final class Silent extends ClassLoader {
        private final ClassLoader source;

        Silent(ClassLoader source) {
            super(RemoteClassLoadingTest.class.getClassLoader());
            this.source = source;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (var in = source.getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
