// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Slurm has given to a job that runs, as {@code scontrol -d show job} says.
 *
 * @param tasks of the job; empty if Slurm does not say
 * @param usableThreads of each core that the job may use; the core's others are lost for it
 * @param shares what it has on its nodes; empty if Slurm does not say
 */
record JobDetails(OptionalInt tasks, int usableThreads, List<Share> shares) {

    static final JobDetails UNKNOWN = new JobDetails(OptionalInt.empty(), 1, List.of());

    private static final Pattern TASKS = Pattern.compile("\\bNumTasks=(\\d{1,9})\\b");
    /** {@code --hint=nomultithread} has a 1 as the last of them. */
    private static final Pattern USABLE_THREADS = Pattern.compile(" ReqB:S:C:T=\\S*:(\\d{1,4})(?= |$)");

    private static final Pattern SHARE = Pattern.compile(" Nodes=(\\S+) CPU_IDs=(\\S+) Mem=(\\d{1,12}) GRES=(\\S*)");
    private static final Pattern THREADS = Pattern.compile("\\bThreadsPerCore=(\\d{1,4})\\b");
    private static final Pattern CPUS = Pattern.compile("\\bCPUTot=(\\d{1,6})\\b");
    private static final Pattern SOCKETS = Pattern.compile("\\bSockets=(\\d{1,4})\\b");
    private static final Pattern CORES = Pattern.compile("\\bCoresPerSocket=(\\d{1,5})\\b");
    private static final Pattern RESOURCE =
            Pattern.compile("(\\w+)(?::([A-Za-z_][^:(,]*))?(?::(\\d{1,9}))?(?:\\((?:CNT:(\\d{1,9})|[^)]*)\\))?(?:,|$)");
    private static final Pattern BRACKETS = Pattern.compile("\\[([^]]*)]");

    /**
     * What each of some nodes has given.
     *
     * @param nodes how many they are
     * @param cores whole ones, as steps take them
     * @param mib memory; 0 where Slurm does not share it out
     * @param gres counts of generic resources, by name, and by name and type: {@code gpu} and {@code gpu:a100}
     */
    record Share(int nodes, int cores, long mib, Map<String, Integer> gres) {}

    /**
     * Reads the answers of scontrol.
     *
     * @param job in one line; of a heterogeneous job, the first line counts
     * @param nodes of the job, a line each
     */
    static JobDetails parse(String job, String nodes) {
        String line = job.lines().findFirst().orElse("");
        int threads = most(THREADS, nodes);
        // At some sites a core of several threads counts as one processor.
        int cpus = most(CPUS, nodes) / (most(SOCKETS, nodes) * most(CORES, nodes));
        List<Share> shares = new ArrayList<>();
        Matcher share = SHARE.matcher(line);
        while (share.find()) {
            shares.add(new Share(
                    count(share.group(1)),
                    count("[" + share.group(2) + "]") / threads,
                    Long.parseLong(share.group(3)),
                    gres(share.group(4))));
        }
        int usable = numbers(USABLE_THREADS, line).stream().findFirst().orElse(cpus);
        return new JobDetails(
                numbers(TASKS, line).stream().mapToInt(each -> each).findFirst(),
                Math.max(1, Math.min(cpus, usable)),
                List.copyOf(shares));
    }

    private static int most(Pattern pattern, String nodes) {
        return numbers(pattern, nodes).stream()
                .mapToInt(each -> each)
                .filter(each -> each > 0)
                .max()
                .orElse(1);
    }

    private static List<Integer> numbers(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(match -> Integer.valueOf(match.group(1)))
                .toList();
    }

    /** Returns how many names an expression such as {@code n[1-3,7]} or {@code a1,b[2-3]} stands for. */
    static int count(String expression) {
        int count = 0;
        for (String name : BRACKETS.matcher(expression)
                .replaceAll(match -> "[" + match.group(1).replace(',', '+') + "]")
                .split(",", -1)) {
            count += BRACKETS.matcher(name)
                    .results()
                    .mapToInt(match -> countNumbers(match.group(1)))
                    .reduce(1, (some, others) -> some * others);
        }
        return count;
    }

    private static int countNumbers(String ranges) {
        int count = 0;
        for (String range : ranges.split("[+]", -1)) {
            String[] ends = range.split("-", 2);
            count += ends.length < 2 ? 1 : Integer.parseInt(ends[1]) - Integer.parseInt(ends[0]) + 1;
        }
        return count;
    }

    /** Returns the counts of a list such as {@code gpu:a100:2(IDX:0-1),scratch(CNT:4)} or {@code gpu:1}. */
    static Map<String, Integer> gres(String list) {
        Map<String, Integer> counts = new TreeMap<>();
        Matcher resource = RESOURCE.matcher(list);
        while (resource.find()) {
            String count = resource.group(4) == null ? resource.group(3) : resource.group(4);
            int number = count == null ? 1 : Integer.parseInt(count);
            counts.merge(resource.group(1), number, Integer::sum);
            if (resource.group(2) != null) {
                counts.merge(resource.group(1) + ":" + resource.group(2), number, Integer::sum);
            }
        }
        return counts;
    }

    /** Returns how many tasks of so many cores fit on all nodes. */
    int fitting(int cores) {
        return shares.stream()
                .mapToInt(share -> share.nodes * (share.cores / cores))
                .sum();
    }

    /** Returns the share of a node that has most; empty if Slurm does not say. */
    Optional<Share> largest() {
        return shares.stream().max(Comparator.comparingInt(Share::cores));
    }

    boolean hasGres() {
        return shares.stream().anyMatch(share -> !share.gres.isEmpty());
    }

    /** Returns how many of a resource one node has at most. */
    int mostOf(String gres) {
        return shares.stream()
                .mapToInt(share -> share.gres.getOrDefault(gres, 0))
                .max()
                .orElse(0);
    }

    /** Returns how many of a resource all nodes have. */
    int allOf(String gres) {
        return shares.stream()
                .mapToInt(share -> share.nodes * share.gres.getOrDefault(gres, 0))
                .sum();
    }
}
