// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import java.nio.ByteBuffer;

/**
 * Combines the arrays of all members in two rounds. The array is divided into as many blocks as there are members. In
 * the first round each block travels once around the ring and collects the numbers of all members. In the second round
 * it travels on and brings them the result. In step s + 1, a member sends the block that it received in step s, and
 * starts before that has arrived completely. What can be sent depends only on how much of the previous step's block has
 * arrived.
 */
final class AllReduceFlow implements Flow {

    private final Numbers numbers;
    private final int rank;
    private final int size;
    private final int steps;
    private int sendStep;
    private int sent;
    private int takeStep;
    private int taken;

    /**
     * Creates the part of one member.
     *
     * @param size number of members, at least 2
     */
    AllReduceFlow(Numbers numbers, int rank, int size) {
        this(numbers, rank, size, 2 * (size - 1));
    }

    private AllReduceFlow(Numbers numbers, int rank, int size, int steps) {
        this.numbers = numbers;
        this.rank = rank;
        this.size = size;
        this.steps = steps;
        skipEmptyBlocks();
    }

    /**
     * Returns one member's part of a barrier: the first round with blocks of one meaningless number. The k-th block
     * that arrives says that k members, counted backwards from its sender, have arrived.
     */
    static AllReduceFlow ofBarrier(int rank, int size) {
        return new AllReduceFlow(Numbers.of(new int[size], (theirs, mine) -> mine), rank, size, size - 1);
    }

    /** Returns the block that a member sends in step s; in the same step it receives that of the previous member. */
    private static int blockOf(int member, int step, int size) {
        return Math.floorMod(member - step, size);
    }

    private int sentBlock() {
        return blockOf(rank, sendStep, size);
    }

    private int takenBlock() {
        return blockOf(rank - 1, takeStep, size);
    }

    private int start(int block) {
        return (int) ((long) block * numbers.length() / size);
    }

    private int length(int block) {
        return start(block + 1) - start(block);
    }

    @Override
    public int nextPart(int room) {
        if (hasSent()) {
            return 0;
        }
        int end = sendStep == 0 || takeStep >= sendStep ? length(sentBlock()) : takeStep == sendStep - 1 ? taken : 0;
        int greatest = room / numbers.width();
        return Math.min(greatest, end - sent) * numbers.width();
    }

    @Override
    public long remaining() {
        return (long) (length(sentBlock()) - sent) * numbers.width();
    }

    @Override
    public void fill(ByteBuffer target) {
        int count = target.remaining() / numbers.width();
        numbers.put(start(sentBlock()) + sent, target);
        sent += count;
        skipEmptyBlocks();
    }

    @Override
    public boolean hasSent() {
        return sendStep == steps;
    }

    @Override
    public void take(long remaining, ByteBuffer content) {
        int count = content.remaining() / numbers.width();
        if (hasReceived() || count * numbers.width() != content.remaining() || count > length(takenBlock()) - taken) {
            throw new IllegalStateException(
                    content.remaining() + " bytes have arrived where they cannot belong to the block.");
        }
        int at = start(takenBlock()) + taken;
        if (takeStep < size - 1) {
            numbers.combine(at, content);
        } else {
            numbers.replace(at, content);
        }
        taken += count;
        skipEmptyBlocks();
    }

    @Override
    public boolean hasReceived() {
        return takeStep == steps;
    }

    /** Skips blocks that are finished or empty. */
    private void skipEmptyBlocks() {
        while (sendStep < steps && sent == length(sentBlock())) {
            sendStep++;
            sent = 0;
        }
        while (takeStep < steps && taken == length(takenBlock())) {
            takeStep++;
            taken = 0;
        }
    }
}
