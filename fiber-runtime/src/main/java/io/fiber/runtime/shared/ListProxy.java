// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.ManagedList;
import io.fiber.function.RemoteFunction;
import io.fiber.runtime.shared.host.Kind;
import io.fiber.runtime.shared.host.ObjectOperation;
import java.io.Serializable;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A managed list as a program holds it. Thread-safe. */
@SuppressWarnings({"unchecked", "NullAway"}) // elements are what was put in, null where they may be
final class ListProxy<E extends @Nullable Object> extends AbstractList<E> implements ManagedList<E>, Serializable {
    private static final long serialVersionUID = 1L;

    private final transient RemoteObject remote;

    ListProxy(RemoteObject remote) {
        this.remote = remote;
    }

    private Object writeReplace() {
        return ObjectHandle.of(Kind.LIST, remote);
    }

    private boolean test(ObjectOperation operation, @Nullable Object... arguments) {
        return (boolean) remote.call(operation, arguments);
    }

    @Override
    public int size() {
        return (int) remote.call(ObjectOperation.SIZE);
    }

    @Override
    public E get(int index) {
        return HeldCopy.of(remote.call(ObjectOperation.GET, index));
    }

    @Override
    public E set(int index, E element) {
        return (E) remote.call(ObjectOperation.SET, index, element);
    }

    @Override
    public boolean add(E element) {
        return test(ObjectOperation.ADD, element);
    }

    @Override
    public void add(int index, E element) {
        remote.call(ObjectOperation.INSERT, index, element);
    }

    @Override
    public E remove(int index) {
        return (E) remote.call(ObjectOperation.REMOVE_AT, index);
    }

    @Override
    public boolean remove(@Nullable Object element) {
        return test(ObjectOperation.REMOVE, element);
    }

    @Override
    public E getFirst() {
        return HeldCopy.of(remote.call(ObjectOperation.GET_FIRST));
    }

    @Override
    public E getLast() {
        return HeldCopy.of(remote.call(ObjectOperation.GET_LAST));
    }

    @Override
    public E removeFirst() {
        return (E) remote.call(ObjectOperation.REMOVE_FIRST);
    }

    @Override
    public E removeLast() {
        return (E) remote.call(ObjectOperation.REMOVE_LAST);
    }

    @Override
    public boolean contains(@Nullable Object element) {
        return test(ObjectOperation.CONTAINS, element);
    }

    @Override
    public int indexOf(@Nullable Object element) {
        return (int) remote.call(ObjectOperation.INDEX_OF, element);
    }

    @Override
    public int lastIndexOf(@Nullable Object element) {
        return (int) remote.call(ObjectOperation.LAST_INDEX_OF, element);
    }

    @Override
    public boolean addAll(Collection<? extends E> elements) {
        return test(ObjectOperation.ADD_ALL, new ArrayList<>(elements));
    }

    @Override
    public boolean addAll(int index, Collection<? extends E> elements) {
        return test(ObjectOperation.INSERT_ALL, index, new ArrayList<>(elements));
    }

    @Override
    public boolean removeAll(Collection<?> elements) {
        return test(ObjectOperation.REMOVE_ALL, new ArrayList<>(elements));
    }

    @Override
    public boolean retainAll(Collection<?> elements) {
        return test(ObjectOperation.RETAIN_ALL, new ArrayList<>(elements));
    }

    @Override
    public void clear() {
        remote.call(ObjectOperation.CLEAR);
    }

    @Override
    public boolean removeIf(Predicate<? super E> filter) {
        return test(ObjectOperation.REMOVE_IF, Objects.requireNonNull(filter, "filter"));
    }

    @Override
    public void replaceAll(UnaryOperator<E> operator) {
        remote.call(ObjectOperation.REPLACE_ALL, Objects.requireNonNull(operator, "operator"));
    }

    @Override
    public void sort(@Nullable Comparator<? super E> order) {
        remote.call(ObjectOperation.SORT, order);
    }

    @Override
    public List<E> snapshot() {
        return (List<E>) remote.call(ObjectOperation.SNAPSHOT);
    }

    private List<E> held() {
        List<E> elements = snapshot();
        elements.replaceAll(HeldCopy::of);
        return elements;
    }

    @Override
    public <R extends @Nullable Object> R call(RemoteFunction<? super List<E>, ? extends R> function) {
        return (R) remote.call(ObjectOperation.CALL, Objects.requireNonNull(function, "function"));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other == this || snapshot().equals(other);
    }

    @Override
    public int hashCode() {
        return snapshot().hashCode();
    }

    @Override
    public Object[] toArray() {
        return held().toArray();
    }

    @Override
    public <T extends @Nullable Object> T[] toArray(T[] array) {
        return held().toArray(array);
    }

    @Override
    public Spliterator<E> spliterator() {
        return held().spliterator();
    }

    @Override
    public Iterator<E> iterator() {
        return Collections.unmodifiableList(held()).iterator();
    }
}
