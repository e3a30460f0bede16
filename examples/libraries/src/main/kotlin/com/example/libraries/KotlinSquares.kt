// SPDX-License-Identifier: Apache-2.0
package com.example.libraries

import io.fiber.Fiber
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.future.await
import kotlinx.coroutines.runBlocking

/** Stands for a costly function. */
fun square(number: Int): Int = number * number

/** Coroutines that wait for workers. They need no dispatcher: a call is a future. */
fun main() {
    Fiber.open().use { fiber ->
        fiber.pool(2).use { pool ->
            val squares = runBlocking {
                (1..100).map { number -> async { pool.applyAsync(::square, number).await() } }.awaitAll()
            }
            println(squares)
            Check.that(squares[99] == 10_000, "the squares in order")
            Check.ranInWorkers(pool, 100)
        }
    }
}
