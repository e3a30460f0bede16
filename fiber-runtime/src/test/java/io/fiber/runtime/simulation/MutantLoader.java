// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.eventloop.Conductor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Loads all of Fiber and the simulation once more, one class of them changed: so the classes that are shipped know nothing
 * of their mutants. Each loop ends when its thread is interrupted, since a bug may make it endless.
 */
final class MutantLoader extends ClassLoader {

    private static final String OURS = "io.fiber.";
    private static final Map<String, byte[]> UNCHANGED = new ConcurrentHashMap<>();
    private static final Map<String, Path> FILES = new ConcurrentHashMap<>();

    private final @Nullable Mutant mutant;

    /** Creates a loader of classes with this bug in them; of unchanged classes without one. */
    MutantLoader(@Nullable Mutant mutant) {
        super(MutantLoader.class.getClassLoader());
        this.mutant = mutant;
    }

    /** Returns the files of a class of the runtime, whose package nobody needs to know, and of those nested in it. */
    static List<byte[]> filesOf(String type) {
        List<Path> files = files().entrySet().stream()
                .filter(file -> file.getKey().equals(type) || file.getKey().startsWith(type + "$"))
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList();
        if (files.isEmpty()) {
            throw new AssertionError("There is no class " + type + ". Bring Mutants up to date.");
        }
        return files.stream().map(MutantLoader::read).toList();
    }

    private static synchronized Map<String, Path> files() {
        if (FILES.isEmpty()) {
            try {
                Path root = Path.of(Conductor.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI());
                try (Stream<Path> classes = Files.walk(root)) {
                    classes.filter(file -> file.toString().endsWith(".class"))
                            .filter(file -> !file.toString().contains("codec"))
                            .forEach(file ->
                                    FILES.put(file.getFileName().toString().replace(".class", ""), file));
                }
            } catch (IOException | URISyntaxException e) {
                throw new AssertionError(e);
            }
        }
        return FILES;
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
        if (mutant != null && name.endsWith("." + mutant.place().type())) {
            return endable(mutant.planted(original(name)));
        }
        byte[] unchanged = UNCHANGED.get(name);
        if (unchanged == null) {
            ClassNode type = new ClassNode();
            new ClassReader(original(name)).accept(type, 0);
            unchanged = endable(type);
            UNCHANGED.put(name, unchanged);
        }
        return unchanged;
    }

    private byte[] original(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static byte[] endable(ClassNode type) {
        for (MethodNode method : type.methods) {
            for (AbstractInsnNode each : method.instructions.toArray()) {
                if (each instanceof JumpInsnNode jump
                        && method.instructions.indexOf(jump.label) < method.instructions.indexOf(jump)) {
                    method.instructions.insertBefore(
                            jump,
                            new MethodInsnNode(
                                    Opcodes.INVOKESTATIC, Type.getInternalName(Seeds.class), "inLoop", "()V"));
                }
            }
        }
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        type.accept(writer);
        return writer.toByteArray();
    }
}
