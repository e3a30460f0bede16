// SPDX-License-Identifier: Apache-2.0
package com.example.libraries;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.WorkerLocal;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Runs a model of ONNX Runtime on many inputs; each worker loads the model once. */
public final class OnnxInference {
    private static final WorkerLocal<OrtSession> SESSION = WorkerLocal.of(OnnxInference::load);

    private OnnxInference() {}

    /** One thread for each worker: otherwise each session starts as many as the host has cores. */
    static OrtSession load() throws IOException, OrtException {
        try (InputStream model = OnnxInference.class.getResourceAsStream("/double.onnx")) {
            OrtSession.SessionOptions options = new OrtSession.SessionOptions();
            options.setIntraOpNumThreads(1);
            return OrtEnvironment.getEnvironment().createSession(model.readAllBytes(), options);
        }
    }

    static float[] run(float[] x) throws OrtException {
        try (OnnxTensor input = OnnxTensor.createTensor(OrtEnvironment.getEnvironment(), x);
                OrtSession.Result result = SESSION.get().run(Map.of("x", input))) {
            return (float[]) result.get(0).getValue();
        }
    }

    public static void main(String[] args) {
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            List<float[]> results =
                    pool.map(OnnxInference::run, IntStream.range(0, 100).mapToObj(i -> new float[] {i, -i}));
            float[] last = results.get(99);
            System.out.println(last[0] + " " + last[1]);
            Check.that(last[0] == 198 && last[1] == -198, "twice the input");
            Check.ranInWorkers(pool, 100);
        }
    }
}
