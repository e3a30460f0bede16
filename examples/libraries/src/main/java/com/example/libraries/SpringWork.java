// SPDX-License-Identifier: Apache-2.0
package com.example.libraries;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.List;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;

/** A program of Spring Boot whose pool is a bean, and whose workers log as the program does. */
@SpringBootApplication
public class SpringWork {
    private static final Logger LOG = LoggerFactory.getLogger(SpringWork.class);

    static int square(int number) {
        LOG.debug("squaring {}", number);
        return number * number;
    }

    /** A context without beans. Starting it configures the log from application.properties. */
    static class InWorker {
        static void start() {
            new SpringApplicationBuilder(InWorker.class)
                    .bannerMode(Banner.Mode.OFF)
                    .logStartupInfo(false)
                    .run();
        }
    }

    @Bean
    Fiber fiber() {
        return Fiber.open();
    }

    @Bean
    Pool pool(Fiber fiber) {
        return fiber.poolBuilder(2).initializer(InWorker::start).build();
    }

    @Bean
    CommandLineRunner work(Pool pool) {
        return args -> {
            List<Integer> squares = pool.map(SpringWork::square, IntStream.range(0, 10));
            LOG.info("squares: {}", squares);
            Check.that(squares.get(9) == 81, "the squares in order");
            Check.ranInWorkers(pool, 10);
        };
    }

    public static void main(String[] args) {
        SpringApplication.run(SpringWork.class, args).close();
    }
}
