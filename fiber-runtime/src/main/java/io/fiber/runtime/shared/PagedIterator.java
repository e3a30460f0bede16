// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.rpc.Reply;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Walks through a managed collection, a page at a time. */
abstract class PagedIterator<T extends @Nullable Object> implements Iterator<T> {

    private final RemoteObject remote;
    private List<T> page = List.of();
    private int next;
    private boolean more = true;

    PagedIterator(RemoteObject remote) {
        this.remote = remote;
    }

    /** Returns where the next page begins. */
    abstract Object cursor();

    /** Reads one element, and notes where the next page begins. */
    abstract T read(PayloadInput in);

    @Override
    public final boolean hasNext() {
        while (next == page.size() && more) {
            fetch();
        }
        return next < page.size();
    }

    private void fetch() {
        Reply.Answer answer = remote.answer(ObjectOperation.PAGE, cursor());
        more = answer.argument() == ObjectHost.MORE;
        PayloadInput in = remote.open(answer.payload());
        page = new ArrayList<>();
        next = 0;
        while (in.remaining() > 0) {
            page.add(read(in));
        }
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return page.get(next++);
    }
}
