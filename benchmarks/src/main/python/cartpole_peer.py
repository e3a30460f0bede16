# SPDX-License-Identifier: Apache-2.0
"""The peer of CartPoleProgram: the same environments and steps by multiprocessing.managers.BaseManager (spawn)."""

import math
import multiprocessing
import random
import sys
import time
from multiprocessing.managers import BaseManager

ENVIRONMENTS = 4
STEPS = 5_000
POLE_MASS_LENGTH = 0.1 * 0.5
TOTAL_MASS = 1.0 + 0.1
ANGLE_LIMIT = 12 * 2 * math.pi / 360


class CartPole:
    """CartPole-v1 of OpenAI Gym."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.reset()

    def reset(self):
        self.state = [self.random.uniform(-0.05, 0.05) for _ in range(4)]
        self.steps = 0
        return self.state

    def step(self, action):
        position, velocity, angle, angular_velocity = self.state
        force = 10.0 if action == 1 else -10.0
        cos = math.cos(angle)
        sin = math.sin(angle)
        part = (force + POLE_MASS_LENGTH * angular_velocity * angular_velocity * sin) / TOTAL_MASS
        angular_acceleration = (9.8 * sin - cos * part) / (0.5 * (4.0 / 3.0 - 0.1 * cos * cos / TOTAL_MASS))
        acceleration = part - POLE_MASS_LENGTH * angular_acceleration * cos / TOTAL_MASS
        position += 0.02 * velocity
        velocity += 0.02 * acceleration
        angle += 0.02 * angular_velocity
        angular_velocity += 0.02 * angular_acceleration
        self.state = [position, velocity, angle, angular_velocity]
        self.steps += 1
        return self.state, 1.0, abs(position) > 2.4 or abs(angle) > ANGLE_LIMIT or self.steps == 500


class Poles(BaseManager):
    """Hosts environments."""


Poles.register("CartPole", CartPole)


def in_turn(poles):
    reward = 0
    for i in range(STEPS):
        for pole in poles:
            _, one, done = pole.step(i % 2)
            reward += one
            if done:
                pole.reset()
    return reward


def main():
    with Poles(ctx=multiprocessing.get_context("spawn")) as manager:
        poles = [manager.CartPole(seed) for seed in range(ENVIRONMENTS)]
        for _ in sys.stdin:
            begin = time.perf_counter()
            reward = in_turn(poles)
            seconds = time.perf_counter() - begin
            if reward != ENVIRONMENTS * STEPS:
                raise SystemExit(f"{reward} steps; expected {ENVIRONMENTS * STEPS}.")
            print(f"RESULT {seconds:.6f}", flush=True)


if __name__ == "__main__":
    main()
