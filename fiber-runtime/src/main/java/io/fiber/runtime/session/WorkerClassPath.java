// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.runtime.platform.ExecutableJar;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.JobSpec;
import java.io.File;
import java.io.IOException;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.DirectBuffer;

/**
 * The class path of workers: the program's own, with Fiber's jars in front. A JVM archives only classes of jars that no
 * directory precedes, and build tools and IDEs put directories first. An archive of Fiber's jars alone remains valid
 * after each build of the program. Immutable.
 *
 * @param entries absolute paths
 * @param archivable the first entries, from which a class-data archive can be made; may be empty
 */
record WorkerClassPath(List<String> entries, List<String> archivable) {

    /**
     * Returns the class path for workers of this program. For an executable jar, it is the nested class path, which a
     * worker's JVM cannot read inside the jar.
     *
     * @param libraries a class of each jar of the transport
     */
    static WorkerClassPath ofProgram(List<Class<?>> libraries) {
        Set<String> own = new HashSet<>();
        for (Class<?> type : List.of(Fiber.class, JobSpec.class, WorkerClassPath.class, DirectBuffer.class)) {
            own.add(fileOf(type));
        }
        for (Class<?> type : libraries) {
            own.add(fileOf(type));
        }
        return withInFront(own, ofThisJvm());
    }

    private static List<String> ofThisJvm() {
        List<String> entries =
                entriesOf(System.getProperty("java.class.path", ""), System.getProperty("jdk.module.main") != null);
        if (WorkerClassPath.class.getClassLoader() == ClassLoader.getSystemClassLoader()) {
            return entries;
        }
        try {
            return ExecutableJar.unpacked(entries, Environment.system());
        } catch (IOException e) {
            throw new FiberException(
                    "FBR-116",
                    "This program was started from "
                            + ClassPathSnapshot.shown(String.join(File.pathSeparator, entries))
                            + ", whose classes are in jars inside it. Workers need them as files, but Fiber cannot"
                            + " unpack them: " + e
                            + " . Set the environment variable XDG_CACHE_HOME to a directory that you own and can"
                            + " write, or unpack the jar yourself (java -Djarmode=tools -jar app.jar extract) and"
                            + " start the program with java -cp.",
                    e);
        }
    }

    /**
     * Splits a class path. An empty entry means the working directory, and so does an empty class path unless a module
     * is run.
     */
    static List<String> entriesOf(String classPath, boolean isModuleRun) {
        List<String> entries = new ArrayList<>();
        if (classPath.isEmpty() && isModuleRun) {
            return entries;
        }
        int begin = 0;
        for (int end = 0; end >= 0; begin = end + 1) {
            end = classPath.indexOf(File.pathSeparatorChar, begin);
            String entry = end < 0 ? classPath.substring(begin) : classPath.substring(begin, end);
            entries.add(new File(entry).getAbsolutePath());
        }
        return entries;
    }

    /**
     * Puts the jars with these names in front. A jar that holds everything, including the program, stays where it is,
     * because the program may have classes that hide some of its own. If one of the jars is missing, all stay where
     * they are, because Fiber's classes are then elsewhere.
     */
    static WorkerClassPath withInFront(Set<String> own, List<String> entries) {
        List<String> front = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (String entry : entries) {
            File file = new File(entry);
            (own.contains(file.getName()) && file.isFile() ? front : others).add(entry);
        }
        boolean holdsAll = own.size() == 1;
        if (front.size() < own.size() || (holdsAll && !entries.get(0).equals(front.get(0)))) {
            return new WorkerClassPath(entries, List.of());
        }
        List<String> archivable = List.copyOf(front);
        front.addAll(others);
        return new WorkerClassPath(front, archivable);
    }

    /** Returns the name of the jar of a class, even if that jar is inside another one. */
    private static String fileOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return "";
        }
        String path = source.getLocation().getPath();
        int end = path.length();
        while (end > 0 && (path.charAt(end - 1) == '/' || path.charAt(end - 1) == '!')) {
            end--;
        }
        return path.substring(path.lastIndexOf('/', end - 1) + 1, end);
    }
}
