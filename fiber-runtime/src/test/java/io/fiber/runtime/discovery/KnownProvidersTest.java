// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.discovery;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.URL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KnownProvidersTest {

    private static final String NAME = KnownProviders.class.getName();

    /** Loads the class and finds no resources, as from a jar that was put together badly. */
    private static final class WithoutResources extends ClassLoader {
        WithoutResources() {
            super(KnownProviders.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(NAME)) {
                return super.loadClass(name, resolve);
            }
            try (InputStream file = KnownProviders.class.getResourceAsStream("KnownProviders.class")) {
                byte[] code = file.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        @Override
        public @Nullable URL getResource(String name) {
            return null;
        }

        @Override
        public @Nullable InputStream getResourceAsStream(String name) {
            return null;
        }
    }

    @Test
    void missingResourceNamesItsJar() throws ReflectiveOperationException {
        Method load = new WithoutResources().loadClass(NAME).getDeclaredMethod("load");
        load.setAccessible(true);

        assertThatThrownBy(() -> load.invoke(null))
                .cause()
                .hasMessage("Resource known-providers.properties is missing in the jar of fiber-runtime.");
    }
}
