// SPDX-License-Identifier: Apache-2.0
package com.example.libraries;

import io.fiber.*;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.*;
import java.sql.Connection;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Queries databases in files from several workers at once. Connections are not serializable: each worker opens its own.
 * Fiber and JDBC both have a {@code Connection}; the import of one name decides.
 */
public final class JdbcSums {
    private JdbcSums() {}

    static long sum(Connection connection, int group) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT SUM(n) FROM numbers WHERE g = ?")) {
            query.setInt(1, group);
            try (ResultSet result = query.executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        }
    }

    /** Writes 1 to 1000 in ten groups. Nobody else may have the file open: DuckDB and H2 lock it. */
    private static void fill(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE numbers (n INTEGER, g INTEGER)");
            for (int n = 1; n <= 1000; n++) {
                statement.execute("INSERT INTO numbers VALUES (" + n + ", " + n % 10 + ")");
            }
        }
    }

    public static void main(String[] args) throws IOException, SQLException {
        String file = Files.createTempDirectory("databases").resolve("numbers").toString();
        fill("jdbc:sqlite:" + file + ".sqlite");
        fill("jdbc:h2:file:" + file);
        fill("jdbc:duckdb:" + file + ".duckdb");
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            for (String url : List.of(
                    "jdbc:sqlite:" + file + ".sqlite",
                    "jdbc:h2:file:" + file + ";ACCESS_MODE_DATA=r",
                    "jdbc:duckdb:" + file + ".duckdb;duckdb.read_only=true")) {
                WorkerLocal<Connection> connection = WorkerLocal.of(() -> DriverManager.getConnection(url));
                List<Long> sums = pool.map(group -> sum(connection.get(), group), IntStream.range(0, 10));
                System.out.println(url + ": " + sums);
                Check.that(sums.stream().mapToLong(Long::longValue).sum() == 500_500, "the sum of 1 to 1000");
            }
            Check.ranInWorkers(pool, 30);
        }
    }
}
