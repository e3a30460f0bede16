// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What to do about the commonest complaints of Slurm. */
final class Advice {

    private static final String ACCOUNT = "Correct fiber.slurm.account, fiber.slurm.qos or fiber.slurm.partition;"
            + " 'sacctmgr show associations user=$USER' lists yours.";

    private static final String FORBIDDEN_MEMORY = "If the site forbids --mem, set fiber.slurm.memory=per-cpu, or"
            + " fiber.slurm.memory=none where jobs get the memory of their cores.";

    private static final List<Map.Entry<String, String>> COMPLAINTS = List.of(
            Map.entry(
                    "CPU count per node",
                    "Ask for fewer cpus, or choose a partition with larger nodes"
                            + " (fiber.slurm.partition); 'sinfo -o \"%P %c %m %G\"' shows them."),
            Map.entry(
                    "Memory specification",
                    "Ask for less memory, or set fiber.slurm.memory;"
                            + " 'sinfo -o \"%P %c %m %G\"' shows what nodes have."),
            Map.entry("--mem", FORBIDDEN_MEMORY),
            Map.entry(
                    "Requested node configuration",
                    "No node has as many cpus, as much memory or as many GPUs and other generic resources;"
                            + " 'sinfo -o \"%P %c %m %G\"' shows what nodes have."),
            Map.entry(
                    "QOS policy",
                    "A limit of your account or QOS forbids it. Start fewer workers, ask for less or for a shorter"
                            + " fiber.slurm.time-limit, or set another fiber.slurm.qos; 'sacctmgr show associations"
                            + " user=$USER' and 'sacctmgr show qos' show the limits."),
            Map.entry("account/partition combination", ACCOUNT),
            Map.entry("partition", "Correct fiber.slurm.partition; 'sinfo -s' lists the partitions."),
            Map.entry("account", ACCOUNT),
            Map.entry("qos", "Correct fiber.slurm.qos; 'sacctmgr show associations user=$USER' lists yours."),
            Map.entry("feature", "Correct fiber.slurm.constraint; 'sinfo -o \"%P %f\"' lists the features."),
            Map.entry("generic resource", "Correct fiber.slurm.gres; 'sinfo -o \"%P %G\"' lists what nodes have."),
            Map.entry("reservation", "Correct fiber.slurm.reservation; 'scontrol show reservation' lists them."),
            Map.entry("time", "Correct fiber.slurm.time-limit; 'sinfo -o \"%P %l\"' shows the limits of partitions."),
            Map.entry(
                    "job array",
                    "Slurm takes no more elements in one array than MaxArraySize and max_array_tasks of its"
                            + " SchedulerParameters; start fewer workers at a time ('scontrol show config' shows both)."),
            Map.entry("emory", FORBIDDEN_MEMORY),
            Map.entry("node name", "Correct fiber.slurm.exclude; 'sinfo -N' lists the nodes."));

    /** Reasons, as patterns, that Slurm does not take back by itself. */
    private static final Map<String, String> NEVER = Map.of(
            "InvalidAccount|AccountNotAllowed|InvalidQOS|QOSNotAllowed",
            ACCOUNT,
            "(QOS|Assoc)Max\\w+PerJob(Limit)?",
            "A limit of the account or QOS forbids jobs of this size. Ask for less or for a shorter fiber.slurm.time-limit, or"
                    + " set another fiber.slurm.qos; 'sacctmgr show qos' shows the limits.",
            "BadConstraints",
            "No node has what it asks for. Correct fiber.slurm.constraint, or ask for less;"
                    + " 'sinfo -o \"%P %c %m %G %f\"' shows what nodes have.",
            "DependencyNeverSatisfied",
            "A job that it depends on has failed. Correct the dependency in fiber.slurm.sbatch.");

    private Advice() {}

    /** Returns the advice for a complaint. */
    static String on(String complaint) {
        return COMPLAINTS.stream()
                .filter(entry -> complaint.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("Correct the option of fiber.slurm.* that it names.");
    }

    /** Returns what to do about a reason for which a job would wait for ever; empty for one that can pass. */
    static Optional<String> onNever(String reason) {
        return NEVER.entrySet().stream()
                .filter(entry -> reason.matches(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Returns why a job that waits for this reason may wait for ever; empty when it need not. */
    static String onWaiting(String reason) {
        return switch (reason) {
            case "PartitionConfig", "PartitionTimeLimit", "PartitionNodeLimit" ->
                "it asks for more than its partition allows";
            case "JobHeldUser", "JobHeldAdmin" -> "it is held; 'scontrol release' lets it go";
            case QueueRow.STEPS_BUSY ->
                "other steps hold the tasks of this allocation; a master that srun has started holds some too,"
                        + " and all memory of the job unless it was started by srun --ntasks=1 --exact with --mem, or by"
                        + " srun --overlap";
            case "ReqNodeNotAvail, Reserved for maintenance" ->
                "it could still run when the maintenance begins; a shorter fiber.slurm.time-limit may let it start now";
            case "PartitionDown", "PartitionInactive" -> "its partition takes no jobs now";
            case "AssocGrpCPUMinutesLimit", "AssocGrpBillingMinutes" -> "the account has used up its time";
            default -> "";
        };
    }
}
