// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import io.fiber.Fiber;
import io.fiber.ManagedList;
import io.fiber.ManagedMap;
import io.fiber.ManagedNamespace;
import io.fiber.Manager;
import java.util.List;
import java.util.Map;

/** A namespace, a list and a map with handles inside them, and an object of a class of our own, changed by another process. */
public final class SharedData {

    private SharedData() {}

    /** What other processes can ask of the object. */
    public interface Maths {
        int add(int a, int b);

        int mul(int a, int b);
    }

    static final class MathsClass implements Maths {
        @Override
        public int add(int a, int b) {
            return a + b;
        }

        @Override
        public int mul(int a, int b) {
            return a * b;
        }
    }

    static void change(
            ManagedNamespace namespace, ManagedList<ManagedList<Integer>> lists, ManagedMap<String, Integer> counts) {
        int x = namespace.get("x", int.class);
        namespace.set("x", x + 1);
        ManagedList<Integer> inner = namespace.get("list", ManagedList.class);
        inner.replaceAll(value -> value + 1);
        lists.get(0).add(4);
        counts.merge("k", 1, Integer::sum);
    }

    public static void main(String[] args) {
        try (Fiber fiber = Fiber.open();
                Manager manager = fiber.manager()) {
            ManagedList<Integer> inner = manager.list(List.of(0, 1));
            ManagedList<ManagedList<Integer>> lists = manager.list(List.of(inner));
            ManagedMap<String, Integer> counts = manager.map(Map.of("k", 9));
            ManagedNamespace namespace = manager.namespace();
            namespace.set("x", 10);
            namespace.set("list", inner);

            fiber.process(() -> change(namespace, lists, counts)).join();

            System.out.println("namespace.x = " + namespace.<Integer>get("x", int.class));
            System.out.println("inner = " + inner);
            System.out.println("lists = " + lists);
            System.out.println("counts = " + counts);

            Maths maths = manager.share(Maths.class, MathsClass::new);
            System.out.println("add " + maths.add(4, 3));
            System.out.println("mul " + maths.mul(7, 8));
        }
    }
}
