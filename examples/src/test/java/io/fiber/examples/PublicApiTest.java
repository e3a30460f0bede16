// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.spi.Provider;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a program may use is written down in {@code dev/api}: what has changed since is seen before a release. With
 * {@code -Dfiber.test.regenerate=true} the files are written.
 */
final class PublicApiTest {

    @ParameterizedTest
    @ValueSource(classes = {Fiber.class, Provider.class})
    void publicApiIsTheOneWrittenDown(Class<?> ofModule) throws Exception {
        ModuleReference module = moduleOf(ofModule);
        Path page = Path.of("..", "dev", "api", module.descriptor().name() + ".txt");
        List<String> signatures = signatures(module);
        if (Boolean.getBoolean("fiber.test.regenerate")) {
            Files.createDirectories(page.getParent());
            Files.write(page, signatures);
        }

        assertThat(signatures)
                .as(
                        "public API; when the change is meant, run this test with -Dfiber.test.regenerate=true and say it in "
                                + "CHANGELOG.md")
                .isEqualTo(Files.readAllLines(page));
    }

    private static ModuleReference moduleOf(Class<?> type) throws URISyntaxException {
        Path place =
                Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        return ModuleFinder.of(place).findAll().iterator().next();
    }

    private static List<String> signatures(ModuleReference module) throws IOException, ClassNotFoundException {
        List<String> exported = module.descriptor().exports().stream()
                .filter(each -> !each.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .toList();
        List<String> names;
        try (ModuleReader reader = module.open();
                Stream<String> files = reader.list()) {
            names = files.filter(file -> file.endsWith(".class") && file.contains("/"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> exported.contains(name.substring(0, name.lastIndexOf('.'))))
                    .sorted()
                    .toList();
        }
        List<String> signatures = new ArrayList<>();
        for (String name : names) {
            Class<?> type = Class.forName(name, false, Fiber.class.getClassLoader());
            if (isVisible(type)) {
                describe(type, signatures);
            }
        }
        return signatures;
    }

    private static boolean isVisible(Class<?> type) {
        Class<?> outer = type.getDeclaringClass();
        return !type.isSynthetic()
                && !type.isAnonymousClass()
                && isVisible(type.getModifiers())
                && (outer == null || isVisible(outer));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static void describe(Class<?> type, List<String> signatures) {
        String parents = Stream.concat(
                        Stream.ofNullable(type.getGenericSuperclass()), Stream.of(type.getGenericInterfaces()))
                .map(java.lang.reflect.Type::getTypeName)
                .collect(Collectors.joining(", "));
        signatures.add(type.toGenericString() + (parents.isEmpty() ? "" : " : " + parents));
        if (type.isSealed()) {
            signatures.add("  permits "
                    + Arrays.stream(type.getPermittedSubclasses())
                            .map(Class::getName)
                            .sorted()
                            .collect(Collectors.joining(", ")));
        }
        addAll(type.getDeclaredFields(), Field::toGenericString, signatures);
        addAll(type.getDeclaredConstructors(), Constructor::toGenericString, signatures);
        Method[] methods = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !isMadeByTheCompiler(type, method))
                .toArray(Method[]::new);
        addAll(methods, Method::toGenericString, signatures);
    }

    /** What every record and every enum has is no line of the listing. A record's own {@code toString} is not final. */
    private static boolean isMadeByTheCompiler(Class<?> type, Method method) {
        return switch (method.getName()) {
            case "equals", "hashCode", "toString" -> type.isRecord() && Modifier.isFinal(method.getModifiers());
            case "values", "valueOf" -> type.isEnum() && Modifier.isStatic(method.getModifiers());
            default -> false;
        };
    }

    private static <M extends Member> void addAll(M[] members, Function<M, String> text, List<String> signatures) {
        Arrays.stream(members)
                .filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
                .map(member -> "  " + text.apply(member))
                .sorted()
                .forEach(signatures::add);
    }
}
