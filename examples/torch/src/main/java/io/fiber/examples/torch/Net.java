// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples.torch;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.training.GradientCollector;
import ai.djl.training.loss.Loss;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** A net with one hidden layer, in PyTorch's memory. All its weights, or a gradient of all, travel as one array. */
final class Net implements AutoCloseable {

    private static final int HIDDEN = 16;
    private static final List<Shape> SHAPES =
            List.of(new Shape(2, HIDDEN), new Shape(1, HIDDEN), new Shape(HIDDEN, 2), new Shape(1, 2));

    private final Engine torch = Engine.getEngine("PyTorch");
    private final NDManager memory = torch.newBaseManager();
    private final NDList layers = new NDList();

    Net(float[] weights) {
        int from = 0;
        for (Shape shape : SHAPES) {
            int to = from + (int) shape.size();
            NDArray layer = memory.create(Arrays.copyOfRange(weights, from, to), shape);
            layer.setRequiresGradient(true);
            layers.add(layer);
            from = to;
        }
    }

    /** Returns weights to begin with. */
    static float[] firstWeights(SplittableRandom random) {
        float[] weights = new float[(int) SHAPES.stream().mapToLong(Shape::size).sum()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = (float) random.nextGaussian(0, 0.5);
        }
        return weights;
    }

    /** Returns the gradient of the loss of some points, and behind it the loss. */
    float[] gradient(Moons moons) {
        try (NDManager step = memory.newSubManager();
                GradientCollector tape = torch.newGradientCollector()) {
            NDArray points = step.create(moons.points, new Shape(moons.kinds.length, 2));
            NDArray hidden = Activation.tanh(points.matMul(layers.get(0)).add(layers.get(1)));
            NDArray odds = hidden.matMul(layers.get(2)).add(layers.get(3));
            NDArray loss =
                    Loss.softmaxCrossEntropyLoss().evaluate(new NDList(step.create(moons.kinds)), new NDList(odds));
            tape.zeroGradients();
            tape.backward(loss);
            return joined(layers.stream().map(NDArray::getGradient).toList(), loss.getFloat());
        }
    }

    /** Goes a step against a gradient. */
    void descend(float[] gradient, float rate) {
        int from = 0;
        for (NDArray layer : layers) {
            int to = from + (int) layer.size();
            try (NDArray part = memory.create(Arrays.copyOfRange(gradient, from, to), layer.getShape())) {
                layer.subi(part.muli(rate));
            }
            from = to;
        }
    }

    /** Returns all weights. */
    float[] weights() {
        return joined(layers);
    }

    private static float[] joined(List<NDArray> arrays, float... last) {
        FloatBuffer joined = FloatBuffer.allocate(
                (int) arrays.stream().mapToLong(NDArray::size).sum() + last.length);
        arrays.forEach(array -> joined.put(array.toFloatArray()));
        return joined.put(last).array();
    }

    @Override
    public void close() {
        memory.close();
    }
}
