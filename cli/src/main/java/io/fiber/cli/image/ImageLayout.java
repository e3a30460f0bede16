// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.image;

import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import io.fiber.FiberException;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.ProgramFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * The layers of a program's image. Immutable.
 *
 * @param layers from the layer that changes least to the one that changes most; empty layers are left out
 * @param program the program as it runs in the image. Its paths are options, so that no backend takes them for files of
 *     this host
 */
public record ImageLayout(List<FileEntriesLayer> layers, Program.Java program) {

    private static final String ROOT = "/fiber/program";
    private static final String SNAPSHOT = "-SNAPSHOT";
    private static final String SEPARATOR = ":";

    public ImageLayout {
        layers = List.copyOf(layers);
    }

    /** In order, from the one that changes least. */
    private enum Layer {
        DEPENDENCIES,
        SNAPSHOTS,
        APPLICATION
    }

    /**
     * Returns the layout of a program. Reads the tables of contents of its jars.
     *
     * @throws FiberException FBR-551 if a file of its paths cannot be read
     */
    public static ImageLayout of(Program.Java program) {
        Collector files = new Collector(classFile(program.main()));
        try {
            List<String> options = new ArrayList<>(program.jvmOptions());
            List<String> modules = files.place(ProgramFiles.ofModulePath(program.modulePath()));
            List<String> classes = files.place(ProgramFiles.ofClassPath(program.classPath()));
            if (!modules.isEmpty()) {
                options.addAll(List.of("--module-path", String.join(SEPARATOR, modules)));
            }
            if (!classes.isEmpty()) {
                options.addAll(List.of("-cp", String.join(SEPARATOR, classes)));
            }
            Program.Java inside = new Program.Java(
                    program.executable(), options, List.of(), List.of(), program.main(), program.arguments());
            return new ImageLayout(files.layers(), inside);
        } catch (IOException e) {
            throw new FiberException(
                    "FBR-551",
                    "A file of the class path cannot be put into an image: " + e
                            + ". Every entry must be a jar or a directory that this user can read.",
                    e);
        }
    }

    /**
     * Returns the entry point of the image: the program without arguments, so that other arguments need no other image.
     */
    List<String> entrypoint() {
        return new Program.Java(
                        program.executable(), program.jvmOptions(), List.of(), List.of(), program.main(), List.of())
                .commandLine("java", List.of(), SEPARATOR);
    }

    private static String classFile(String main) {
        return main.substring(main.indexOf('/') + 1).replace('.', '/') + ".class";
    }

    /** Assigns a place to each file. */
    private static final class Collector {
        private final String mainClass;
        private final Map<Layer, FileEntriesLayer.Builder> layers = new EnumMap<>(Layer.class);
        private final Map<Path, String> places = new HashMap<>();
        private final Map<String, Integer> namesakes = new HashMap<>();
        private int directories;

        Collector(String mainClass) {
            this.mainClass = mainClass;
        }

        /** Returns the places of files in the image, in the same order. */
        List<String> place(List<Path> files) throws IOException {
            List<String> there = new ArrayList<>();
            for (Path file : files) {
                String known = places.get(file);
                String place = known == null ? add(file) : known;
                places.put(file, place);
                there.add(place);
            }
            return there;
        }

        private String add(Path file) throws IOException {
            String place = placeOf(file);
            FileEntriesLayer.Builder layer = layers.computeIfAbsent(
                    layerOf(file), each -> FileEntriesLayer.builder().setName(each.name()));
            layer.addEntryRecursive(file, AbsoluteUnixPath.get(place));
            return place;
        }

        /**
         * Keeps the name of a jar, because names of modules may be derived from it. Its place depends on nothing else,
         * so layers can be reused.
         */
        private String placeOf(Path file) {
            if (Files.isDirectory(file)) {
                return ROOT + "/classes/" + directories++;
            }
            String name = String.valueOf(file.getFileName());
            int earlier = namesakes.merge(name, 1, Integer::sum) - 1;
            return ROOT + "/lib/" + (earlier == 0 ? "" : earlier + "/") + name;
        }

        private Layer layerOf(Path file) throws IOException {
            if (Files.isDirectory(file) || hasMainClass(file)) {
                return Layer.APPLICATION;
            }
            return file.toString().contains(SNAPSHOT) ? Layer.SNAPSHOTS : Layer.DEPENDENCIES;
        }

        private boolean hasMainClass(Path jar) throws IOException {
            try (ZipFile zip = new ZipFile(jar.toFile())) {
                return zip.getEntry(mainClass) != null;
            } catch (ZipException e) {
                // Not a jar: java ignores it both here and there.
                return false;
            }
        }

        List<FileEntriesLayer> layers() {
            return layers.values().stream().map(FileEntriesLayer.Builder::build).toList();
        }
    }
}
