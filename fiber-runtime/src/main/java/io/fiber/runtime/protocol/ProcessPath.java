// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.FiberException;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.Serializable;
import java.util.Arrays;

/**
 * The position of a process in the tree of its program: the numbers of the workers from the root down. A number is used
 * once in the life of a program, so a path never refers to a second process. Immutable.
 */
public final class ProcessPath implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The maximum number of levels of workers below the root. */
    public static final int DEPTH_LIMIT = 8;

    private static final ProcessPath ROOT = new ProcessPath(new int[0]);

    private final int[] numbers;

    private ProcessPath(int[] numbers) {
        this.numbers = numbers;
    }

    /** Returns the path of the process that was started by a person. */
    public static ProcessPath root() {
        return ROOT;
    }

    /**
     * Returns the path with these numbers of workers, from the root down.
     *
     * @throws IllegalArgumentException if there are more than {@link #DEPTH_LIMIT}, or one is not above 0
     */
    public static ProcessPath of(int... numbers) {
        if (!isValid(numbers)) {
            throw new IllegalArgumentException(
                    "The path " + Arrays.toString(numbers) + "; expected up to " + DEPTH_LIMIT + " numbers above 0.");
        }
        return numbers.length == 0 ? ROOT : new ProcessPath(numbers.clone());
    }

    private static boolean isValid(int[] numbers) {
        boolean valid = numbers.length <= DEPTH_LIMIT;
        for (int number : numbers) {
            valid &= number > 0;
        }
        return valid;
    }

    /**
     * Checks that this process may have workers.
     *
     * @throws FiberException FBR-425 if it stands {@link #DEPTH_LIMIT} levels below the root
     */
    public void requireRoomBelow() {
        if (numbers.length >= DEPTH_LIMIT) {
            throw new FiberException(
                    "FBR-425",
                    "Process " + this + " is " + numbers.length
                            + " levels below the first process of its program. At this depth, a process cannot start"
                            + " others. Start them from a process further up.");
        }
    }

    /** Returns the path of a worker of this process, whose depth must be less than {@link #DEPTH_LIMIT}. */
    public ProcessPath child(int number) {
        int[] longer = Arrays.copyOf(numbers, numbers.length + 1);
        longer[numbers.length] = number;
        return of(longer);
    }

    /** Returns the level of this process below the root. */
    public int depth() {
        return numbers.length;
    }

    /** Returns the number of the worker at a level, from 0 for a worker of the root. */
    public int number(int level) {
        return numbers[level];
    }

    /** Returns the number of this worker in its master's session; 0 for the root, which has no master. */
    public int number() {
        return numbers.length == 0 ? Protocol.MASTER_NUMBER : numbers[numbers.length - 1];
    }

    /** Returns whether this process is the other one, or was started by it directly or indirectly. */
    public boolean isUnder(ProcessPath other) {
        int depth = other.numbers.length;
        return depth <= numbers.length && Arrays.equals(numbers, 0, depth, other.numbers, 0, depth);
    }

    /** Returns the path of the process at this depth between the root and this process. */
    public ProcessPath ancestor(int depth) {
        return depth == numbers.length ? this : new ProcessPath(Arrays.copyOf(numbers, depth));
    }

    public void writeTo(PayloadOutput out) {
        out.writeVarLong(numbers.length);
        for (int number : numbers) {
            out.writeInt(number);
        }
    }

    /**
     * Reads what {@link #writeTo} wrote.
     *
     * @throws IOException if it is something else
     * @throws IllegalArgumentException if it has a number that is not above 0
     */
    public static ProcessPath readFrom(PayloadInput in) throws IOException {
        long depth = in.readVarLong();
        if (depth < 0 || depth > DEPTH_LIMIT) {
            throw new IOException("A path of " + depth + " numbers.");
        }
        int[] numbers = new int[(int) depth];
        for (int level = 0; level < numbers.length; level++) {
            numbers[level] = in.readInt();
        }
        return of(numbers);
    }

    private Object readResolve() throws InvalidObjectException {
        if (numbers == null || !isValid(numbers)) {
            throw new InvalidObjectException("A path " + Arrays.toString(numbers));
        }
        return of(numbers);
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof ProcessPath path && Arrays.equals(numbers, path.numbers));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(numbers);
    }

    /** Returns for example {@code 0.5.3}: the third worker of the fifth worker of the root. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("0");
        for (int number : numbers) {
            text.append('.').append(number);
        }
        return text.toString();
    }
}
