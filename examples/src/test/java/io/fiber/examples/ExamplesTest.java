// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every example runs as a real program. */
final class ExamplesTest {
    @TempDir
    private Path directory;

    @Test
    void helloFiberPrintsInTheOtherProcess() throws Exception {
        List<String> lines = ExampleProgram.run(directory, HelloFiber.class);

        assertThat(lines).containsExactlyInAnyOrder("Hello, Fiber!", "Process 'hello' ended with exit code 0");
    }

    @Test
    void piEstimationComesNearPi() throws Exception {
        List<String> lines = ExampleProgram.run(directory, PiEstimation.class);

        assertThat(lines).hasSize(1);
        assertThat(lines.get(0)).startsWith("Pi is roughly ");
        // Six standard deviations of a million samples.
        assertThat(Double.parseDouble(lines.get(0).substring("Pi is roughly ".length())))
                .isEqualTo(Math.PI, within(0.01));
    }

    @Test
    @Tag("slow")
    void sweepTakesItsScoresFromItsJournal() throws Exception {
        Path table = directory.resolve("sweep.csv");
        List<String> said = List.of("wrote 140 scores to " + table);
        assertThat(ExampleProgram.run(directory, Sweep.class, table.toString(), "200"))
                .isEqualTo(said);
        List<String> lines = Files.readAllLines(table);
        assertThat(lines).hasSize(141).element(0).isEqualTo("rate,batch,loss");
        Files.delete(table);

        assertThat(ExampleProgram.run(directory, Sweep.class, table.toString(), "200"))
                .isEqualTo(said);

        assertThat(Files.readAllLines(table)).isEqualTo(lines);
        assertThat(directory.resolve("err"))
                .content()
                .contains("Took 140 results of call 1 of pool 'pool-1' (")
                .contains(") from its journal; 0 tasks run.");
    }

    @Test
    @Tag("slow")
    void randomStreamsDoNotDependOnTheNumberOfWorkers() throws Exception {
        List<String> lines = ExampleProgram.run(directory, RandomStreams.class, "1");

        assertThat(lines).singleElement().asString().startsWith("Pi is roughly 3.1");
        assertThat(ExampleProgram.run(directory, RandomStreams.class, "3")).isEqualTo(lines);
    }

    /** Nothing is on the class path, and no flag is given: modules find the providers, and so do the workers. */
    @ParameterizedTest
    @ValueSource(strings = {"socket", "aeron"})
    @Tag("slow")
    void piEstimationRunsFromTheModulePath(String transport) throws Exception {
        List<String> lines = ExampleProgram.runAsModule(directory, PiEstimation.class, transport);

        assertThat(lines).singleElement().asString().startsWith("Pi is roughly 3.1");
    }

    @Test
    @Tag("slow")
    void piEstimationTakesSamplesAndProcesses() throws Exception {
        List<String> lines = ExampleProgram.run(directory, PiEstimation.class, "4", "1");

        assertThat(lines).singleElement().asString().matches("Pi is roughly [0-4]\\.0");
    }

    @Test
    @Tag("slow")
    void lineCountCountsEveryFileOfTheTree() throws Exception {
        Path tree = directory.resolve("tree");
        Files.createDirectories(tree.resolve("deeper"));
        Files.writeString(tree.resolve("deeper/three.txt"), "a\nb\nc\n");
        Files.writeString(tree.resolve("two.txt"), "\u00e9\nlast line has no end");
        Files.writeString(tree.resolve("none.txt"), "");

        List<String> lines = ExampleProgram.run(directory, LineCount.class, tree.toString());

        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).endsWith("three.txt").startsWith("       3 ");
        assertThat(lines.get(3)).isEqualTo("5 lines in 3 files");
    }

    @Test
    @Tag("slow")
    void parzenEstimationPrintsEveryWidthInOrder() throws Exception {
        List<String> lines = ExampleProgram.run(directory, ParzenEstimation.class);

        assertThat(lines).hasSize(103);
        assertThat(lines.get(102)).matches("true density is 0[.,]15915");
        assertThat(lines.subList(0, 102).stream().map(line -> field(line, 1)))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 102).mapToObj(i -> i / 10.0).toList());
        // A window of width 1 holds 0.3829 squared of a normal distribution.
        assertThat(field(lines.get(9), 3)).isEqualTo(0.1466, within(0.02));
    }

    @Test
    @Tag("slow")
    void basicQueuePrintsTheSumOfWhatTheOtherProcessPut() throws Exception {
        List<String> lines = ExampleProgram.run(directory, BasicQueue.class);

        assertThat(lines).containsExactly("63");
    }

    @Test
    @Tag("slow")
    void sharedDataIsChangedByTheOtherProcess() throws Exception {
        List<String> lines = ExampleProgram.run(directory, SharedData.class);

        assertThat(lines)
                .containsExactly(
                        "namespace.x = 11",
                        "inner = [1, 2, 4]",
                        "lists = [[1, 2, 4]]",
                        "counts = {k=10}",
                        "add 7",
                        "mul 56");
    }

    @Test
    @Tag("slow")
    void asyncCartPoleStepsAllEnvironmentsBothWays() throws Exception {
        List<String> lines = ExampleProgram.runWithAeron(directory, AsyncCartPole.class, "500");

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).startsWith("sync:  2000 steps in ");
        assertThat(lines.get(1)).startsWith("async: 2000 steps in ");
    }

    @Test
    void cartPoleFallsWhenItIsAlwaysPushedToOneSide() {
        CartPole pole = new CartPole(1);
        int steps = 1;
        while (!pole.step(1).done()) {
            steps++;
        }
        assertThat(steps).isBetween(8, 11);
    }

    @Test
    @Tag("slow")
    void evolutionStrategiesFindTheSolution() throws Exception {
        List<String> lines = ExampleProgram.run(directory, EvolutionStrategies.class, "2");

        assertThat(lines).singleElement().asString().startsWith("Found [");
        double[] found = Stream.of(lines.get(0).replaceAll("[^-0-9.,E]", "").split(","))
                .mapToDouble(Double::parseDouble)
                .toArray();
        assertThat(found).containsExactly(new double[] {5, -5, 1.5}, within(0.3));
    }

    @Test
    @Tag("soak")
    void vectorOfEnvironmentsStepsThemTogether() throws Exception {
        List<String> lines = ExampleProgram.runWithAeron(directory, VectorEnv.class, "300");

        assertThat(lines).singleElement().asString().startsWith("4 environments, 300 steps each, ");
        // Who follows the pole's angle falls after 25 to 60 steps.
        assertThat(Integer.parseInt(lines.get(0).replaceAll(".*, (\\d+) episodes", "$1")))
                .isBetween(12, 60);
    }

    @Test
    @Tag("slow")
    void poetStyleAgentsLearnWhatTheirEnvironmentsAskFor() throws Exception {
        List<String> lines = ExampleProgram.run(directory, PoetStyle.class);

        assertThat(lines).hasSize(4).allMatch(line -> field(line, 2) > -0.5);
    }

    @Test
    @Tag("slow")
    void evolutionBalancesThePole() throws Exception {
        List<String> lines = ExampleProgram.run(directory, PoleEvolution.class, "6");

        assertThat(lines).hasSize(6);
        assertThat(field(lines.get(5), 2)).isGreaterThan(2 * field(lines.get(0), 2));
    }

    @Test
    @Tag("slow")
    void ringSgdLearnsAndAllMembersEndWithTheSameWeights() throws Exception {
        List<String> lines = ExampleProgram.runWithAeron(directory, RingSgd.class, "3");

        assertThat(lines).contains("all 3 members have the same weights: true");
        // Of three kinds that are all as likely the loss is ln 3; a model that has learned is far below.
        assertThat(lossIn(lines, "step 0 loss ")).isEqualTo(Math.log(3), within(1e-3));
        assertThat(lossIn(lines, "loss of all irises ")).isLessThan(0.3);
    }

    @Test
    @Tag("slow")
    void hyperparameterSearchPrintsEachBetterTrial() throws Exception {
        List<String> lines = ExampleProgram.run(directory, HyperparameterSearch.class, "500");

        List<Double> losses = lines.stream()
                .filter(line -> line.startsWith("loss "))
                .map(line -> field(line, 1))
                .toList();
        assertThat(losses).isNotEmpty().isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(losses.get(losses.size() - 1)).isLessThan(0.5);
        assertThat(lines.get(lines.size() - 1)).matches("best of all: rate [0-9.]+, batches of [0-9]+");
    }

    @Test
    @Tag("slow")
    void crashingCodeCostsItsOwnTasksOnly() throws Exception {
        List<String> lines = ExampleProgram.runThatLosesWorkers(directory, CrashingCode.class);

        assertThat(lines.stream().map(line -> line.replaceFirst("worker .*, ", "")))
                .containsExactly(
                        "file 0: decoded to 0",
                        "file 1: decoded to 1",
                        "file 2: crashed (signalled (exit code 139): signal 11)",
                        "file 3: decoded to 9",
                        "file 4: decoded to 16",
                        "file 5: decoded to 25",
                        "file 6: crashed (signalled (exit code 139): signal 11)",
                        "file 7: decoded to 49");
    }

    @Test
    @Tag("slow")
    void lostProcessGoesOnFromItsCheckpoint() throws Exception {
        List<String> lines = ExampleProgram.run(
                directory, Checkpoints.class, directory.resolve("checkpoint").toString());

        assertThat(lines)
                .hasSize(4)
                .startsWith("begins at step 0", "the process was lost; another one follows", "begins at step 500000");
        assertThat(field(lines.get(3), 2)).isEqualTo(Math.PI, within(1e-5));
    }

    @Test
    @Tag("slow")
    void thumbnailsAreMadeOfPicturesAndOtherFilesAreSaid() throws Exception {
        Path pictures = Files.createDirectory(directory.resolve("pictures"));
        ImageIO.write(
                new BufferedImage(512, 256, BufferedImage.TYPE_INT_RGB),
                "png",
                pictures.resolve("wide.png").toFile());
        Files.writeString(pictures.resolve("a.jpg"), "no picture");
        Path target = directory.resolve("small");

        List<String> lines = ExampleProgram.run(directory, Thumbnails.class, pictures.toString(), target.toString());

        assertThat(lines)
                .containsExactly(
                        pictures.resolve("a.jpg") + " is no picture", target.resolve("wide.png.png") + " 128 x 64");
        BufferedImage small = ImageIO.read(target.resolve("wide.png.png").toFile());
        assertThat(small.getWidth()).isEqualTo(128);
    }

    private static double lossIn(List<String> lines, String before) {
        return lines.stream()
                .filter(line -> line.startsWith(before))
                .mapToDouble(line -> Double.parseDouble(line.substring(before.length())))
                .findFirst()
                .orElseThrow();
    }

    private static double field(String line, int index) {
        return Double.parseDouble(Stream.of(line.split(" +"))
                .skip(index)
                .findFirst()
                .orElseThrow()
                .replace(',', '.'));
    }
}
