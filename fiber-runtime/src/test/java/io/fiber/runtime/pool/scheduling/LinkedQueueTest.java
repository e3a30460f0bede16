// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LinkedQueueTest {

    private static final class Item extends LinkedQueue.Element<Item> {}

    private final LinkedQueue<Item> queue = new LinkedQueue<>();

    private static List<Item> list(LinkedQueue<Item> queue) {
        List<Item> items = new ArrayList<>();
        queue.forEach(items::add);
        return items;
    }

    @Test
    void behavesAsAListDoesInAnyOrderOfSteps() {
        SplittableRandom random = new SplittableRandom(1);
        List<Item> model = new ArrayList<>();
        for (int step = 0; step < 10_000; step++) {
            int choice = random.nextInt(5);
            if (choice < 2) {
                Item item = new Item();
                queue.add(item);
                model.add(item);
            } else if (choice == 2) {
                assertThat(queue.poll()).isSameAs(model.isEmpty() ? null : model.remove(0));
            } else if (choice == 3 && !model.isEmpty()) {
                Item item = model.remove(random.nextInt(model.size()));
                item.leaveQueue();
                assertThat(item.isQueued()).isFalse();
            }
            assertThat(queue.size()).isEqualTo(model.size());
            assertThat(queue.isEmpty()).isEqualTo(model.isEmpty());
            assertThat(queue.first(each -> true)).isSameAs(model.isEmpty() ? null : model.get(0));
        }
        assertThat(list(queue)).isEqualTo(model);
    }

    @Test
    void elementStandsInOneQueueAtATime() {
        Item item = new Item();
        item.leaveQueue();
        queue.add(item);
        assertThatThrownBy(() -> new LinkedQueue<Item>().add(item))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageEndingWith("is already in a queue.");
        assertThat(list(queue)).containsExactly(item);
    }

    @Test
    void allElementsMoveBehindThoseOfAnother() {
        LinkedQueue<Item> other = new LinkedQueue<>();
        Item first = new Item();
        Item second = new Item();
        Item third = new Item();
        queue.add(first);
        other.add(second);
        other.add(third);
        queue.addAll(other);

        assertThat(list(queue)).containsExactly(first, second, third);
        assertThat(other.isEmpty()).isTrue();
        queue.clear();
        assertThat(queue.isEmpty()).isTrue();
        assertThat(third.isQueued()).isFalse();
    }
}
