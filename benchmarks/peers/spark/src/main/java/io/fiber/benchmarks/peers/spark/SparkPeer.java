// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.peers.spark;

import io.fiber.benchmarks.peers.Peer;
import io.fiber.benchmarks.peers.PeerProgram;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Apache Spark on this host: a cluster of five executors, whose master and workers are in this process. */
public final class SparkPeer implements Peer {
    private final JavaSparkContext context = new JavaSparkContext(new SparkConf()
            .setAppName("peers")
            .setMaster("local-cluster[" + WORKERS + ",1,512]")
            .set("spark.executor.memory", "512m")
            .set("spark.executor.extraJavaOptions", "-XX:+UseSerialGC")
            .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.ui.enabled", "false")
            .set("spark.ui.showConsoleProgress", "false"));

    private SparkPeer() {}

    public static void main(String[] args) throws IOException, ExecutionException, InterruptedException {
        PeerProgram.run(args, SparkPeer::new);
    }

    @Override
    public Collection<Long> processes() {
        return context.parallelize(items(WORKERS), WORKERS)
                .map(item -> Peer.process())
                .collect();
    }

    /** Spark's task is a partition of a job. */
    @Override
    public List<Integer> separate(int tasks) {
        return context.parallelize(items(tasks), tasks).map(Peer::same).collect();
    }

    @Override
    public List<Integer> naps(int tasks) {
        return context.parallelize(items(tasks)).map(Peer::nap).collect();
    }

    private static List<Integer> items(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    @Override
    public void close() {
        context.close();
    }
}
