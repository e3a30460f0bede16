// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A queue whose elements carry its links, so that nothing is allocated and any element can leave at once, however many
 * stand in it. An element stands in one queue at a time. Belongs to one thread.
 */
final class LinkedQueue<E extends LinkedQueue.Element<E>> {

    private @Nullable E first;
    private @Nullable E last;
    private int size;

    /** Adds an element that stands in no queue. */
    void add(E element) {
        Element<E> links = element;
        if (links.queue != null) {
            throw new IllegalStateException(element + " is already in a queue.");
        }
        Element<E> before = last;
        links.queue = this;
        links.previous = last;
        if (before == null) {
            first = element;
        } else {
            before.next = element;
        }
        last = element;
        size++;
    }

    /** Takes the first element out; null when there is none. */
    @Nullable
    E poll() {
        E element = first;
        if (element != null) {
            unlink(element);
        }
        return element;
    }

    /** Moves all elements of another queue behind those of this one. */
    void addAll(LinkedQueue<E> others) {
        for (E element = others.poll(); element != null; element = others.poll()) {
            add(element);
        }
    }

    /** Shows each element; none may come or leave meanwhile. */
    void forEach(Consumer<E> action) {
        for (E element = first; element != null; ) {
            action.accept(element);
            Element<E> links = element;
            element = links.next;
        }
    }

    /** Returns the first element that is meant; null when there is none. */
    @Nullable
    E first(Predicate<E> meant) {
        for (E element = first; element != null; ) {
            if (meant.test(element)) {
                return element;
            }
            Element<E> links = element;
            element = links.next;
        }
        return null;
    }

    /** Takes all elements out. */
    void clear() {
        while (poll() != null) {}
    }

    boolean isEmpty() {
        return first == null;
    }

    int size() {
        return size;
    }

    private void unlink(Element<E> links) {
        Element<E> before = links.previous;
        Element<E> after = links.next;
        if (before == null) {
            first = links.next;
        } else {
            before.next = links.next;
        }
        if (after == null) {
            last = links.previous;
        } else {
            after.previous = links.previous;
        }
        links.queue = null;
        links.next = null;
        links.previous = null;
        size--;
    }

    /** What can stand in a queue. */
    abstract static class Element<E extends Element<E>> {
        private @Nullable LinkedQueue<E> queue;
        private @Nullable E next;
        private @Nullable E previous;

        /** Tells whether it stands in a queue. */
        final boolean isQueued() {
            return queue != null;
        }

        /** Leaves the queue that it stands in, if any. */
        final void leaveQueue() {
            LinkedQueue<E> left = queue;
            if (left != null) {
                left.unlink(this);
            }
        }
    }
}
