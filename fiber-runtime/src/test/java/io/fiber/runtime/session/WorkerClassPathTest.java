// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerClassPathTest {

    private static final Set<String> OWN = Set.of("runtime.jar", "agrona.jar");

    @TempDir
    Path tmp;

    @Test
    void emptyEntryOfTheClassPathIsTheWorkingDirectory() {
        String here = System.getProperty("user.dir");

        assertThat(WorkerClassPath.entriesOf("/a.jar:b.jar", false)).containsExactly("/a.jar", here + "/b.jar");
        assertThat(WorkerClassPath.entriesOf("/a.jar:", false)).containsExactly("/a.jar", here);
        assertThat(WorkerClassPath.entriesOf(":/a.jar::/b.jar", true)).containsExactly(here, "/a.jar", here, "/b.jar");
        assertThat(WorkerClassPath.entriesOf("", false)).containsExactly(here);
        assertThat(WorkerClassPath.entriesOf("", true)).isEmpty();
    }

    @Test
    void jarsOfFiberStandInFrontAndAllElseAsItWas() throws IOException {
        String classes = directory("classes");
        String app = jar("app.jar");
        String agrona = jar("agrona.jar");
        String runtime = jar("runtime.jar");

        WorkerClassPath path = WorkerClassPath.withInFront(OWN, List.of(classes, agrona, app, runtime, "/none.jar"));

        assertThat(path.entries()).containsExactly(agrona, runtime, classes, app, "/none.jar");
        assertThat(path.archivable()).containsExactly(agrona, runtime);
    }

    @Test
    void orderStaysWhereFiberLiesInDirectories() throws IOException {
        List<String> entries = List.of(directory("classes"), jar("agrona.jar"), directory("runtime.jar"));

        assertThat(WorkerClassPath.withInFront(OWN, entries)).isEqualTo(new WorkerClassPath(entries, List.of()));
    }

    /** Classes of the program in front of it may hide some of its own. */
    @Test
    void jarThatHoldsTheProgramTooStaysWhereItIs() throws IOException {
        String all = jar("all.jar");
        List<String> behind = List.of(directory("classes"), all);

        assertThat(WorkerClassPath.withInFront(Set.of("all.jar"), behind))
                .isEqualTo(new WorkerClassPath(behind, List.of()));
        assertThat(WorkerClassPath.withInFront(Set.of("all.jar"), List.of(all)))
                .isEqualTo(new WorkerClassPath(List.of(all), List.of(all)));
    }

    private String jar(String name) throws IOException {
        return Files.createFile(tmp.resolve(name)).toString();
    }

    private String directory(String name) throws IOException {
        return Files.createDirectory(tmp.resolve(name)).toString();
    }
}
