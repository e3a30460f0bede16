// SPDX-License-Identifier: Apache-2.0
package com.example.libraries;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.WorkerLocal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;

/** Runs many queries on an index of Lucene; each worker opens the index once. */
public final class LuceneSearch {
    private LuceneSearch() {}

    static IndexSearcher open(String index) throws IOException {
        return new IndexSearcher(DirectoryReader.open(FSDirectory.open(Path.of(index))));
    }

    /** A query is made in the worker from text, because queries are not serializable. */
    static int count(IndexSearcher searcher, String word) throws IOException {
        return searcher.count(new TermQuery(new Term("text", word)));
    }

    private static void write(Path index) throws IOException {
        try (FSDirectory directory = FSDirectory.open(index);
                IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
            for (int i = 0; i < 1000; i++) {
                Document document = new Document();
                document.add(new TextField("text", "number" + i % 10 + " of a thousand", Field.Store.NO));
                writer.addDocument(document);
            }
        }
    }

    public static void main(String[] args) throws IOException {
        Path directory = Files.createTempDirectory("index");
        write(directory);
        String index = directory.toString();
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            WorkerLocal<IndexSearcher> searcher = WorkerLocal.of(() -> open(index));
            List<Integer> counts = pool.map(
                    word -> count(searcher.get(), word), IntStream.range(0, 11).mapToObj(i -> "number" + i));
            System.out.println(counts);
            Check.that(counts.get(0) == 100 && counts.get(10) == 0, "100 documents of each kind, not " + counts);
            Check.ranInWorkers(pool, 11);
        }
    }
}
