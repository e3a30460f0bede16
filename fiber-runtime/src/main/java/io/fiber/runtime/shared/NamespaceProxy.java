// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.ManagedNamespace;
import io.fiber.runtime.shared.host.Kind;
import io.fiber.runtime.shared.host.ObjectOperation;
import java.lang.invoke.MethodType;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A managed namespace as a program holds it. Thread-safe. */
@SuppressWarnings({"unchecked", "NullAway"}) // the caller knows what it has put in
final class NamespaceProxy extends Proxied implements ManagedNamespace {
    private static final long serialVersionUID = 1L;

    NamespaceProxy(RemoteObject remote) {
        super(remote, ObjectHandle.of(Kind.NAMESPACE, remote));
    }

    @Override
    public <T extends @Nullable Object> T get(String name, Class<? super T> type) {
        Class<?> boxed = MethodType.methodType(type).wrap().returnType();
        Object value = HeldCopy.of(remote().call(ObjectOperation.GET_PRESENT, Objects.requireNonNull(name, "name")));
        if (value == null ? type.isPrimitive() : !boxed.isInstance(value)) {
            throw new ClassCastException("The value '" + name + "' of the namespace is "
                    + (value == null ? "null" : "a " + value.getClass().getName()) + "; expected "
                    + boxed.getName() + ".");
        }
        return (T) value;
    }

    @Override
    public void set(String name, @Nullable Object value) {
        remote().call(ObjectOperation.PUT, Objects.requireNonNull(name, "name"), value);
    }

    @Override
    public boolean remove(String name) {
        return (boolean) remote().call(ObjectOperation.REMOVE_KEY, Objects.requireNonNull(name, "name"));
    }

    @Override
    public boolean has(String name) {
        return (boolean) remote().call(ObjectOperation.CONTAINS, Objects.requireNonNull(name, "name"));
    }

    @Override
    public Set<String> names() {
        return new LinkedHashSet<>((Collection<String>) remote().call(ObjectOperation.KEYS));
    }
}
