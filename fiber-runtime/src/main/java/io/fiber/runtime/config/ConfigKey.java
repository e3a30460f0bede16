// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import io.fiber.spi.OptionKey.Visibility;
import io.fiber.spi.OptionType;
import java.util.Locale;
import java.util.Optional;

/**
 * Every setting of Fiber itself: the one place where its name, form, default and meaning are written. The table in
 * {@code docs/configuration.md} is generated from it. Settings of a provider are declared by the provider.
 */
public enum ConfigKey {
    BACKEND(
            "backend",
            ValueForm.TEXT,
            Fallback.words("the only one on the class path; else the platform around this process; else `local`"),
            "The backend that starts workers."),
    TRANSPORT(
            "transport",
            ValueForm.TEXT,
            Fallback.words("the only one on the class path; else the default transport, `aeron`"),
            "The transport between processes."),
    SERIALIZER(
            "serializer",
            ValueForm.TEXT,
            Fallback.words("the built-in one, Java serialization behind a filter"),
            "The serializer of objects."),
    CONFIG(
            "config",
            ValueForm.PATH,
            Fallback.words("`.fiberconfig` in the working directory, when there is one"),
            "The settings file, which may belong to another user. It cannot be set in that file."),
    LEASE(
            "lease",
            ValueForm.POSITIVE_DURATION,
            Fallback.value("20s"),
            "How long a process may be silent before it counts as dead, for its master and for itself."),
    START_LIMIT(
            "start-limit",
            ValueForm.POSITIVE_DURATION,
            Fallback.value("60s"),
            "How long a worker may take from the start of its job until it has connected."),
    SHUTDOWN_GRACE(
            "shutdown-grace",
            ValueForm.DURATION,
            Fallback.value("5s"),
            "How long a terminated worker may take to end before it is killed."),
    MAX_RERUNS(
            "max-reruns",
            ValueForm.COUNT,
            Fallback.value("2"),
            "How often a task runs again when its worker dies; 0: never."),
    MAX_START_FAILURES(
            "max-start-failures",
            ValueForm.POSITIVE_COUNT,
            Fallback.value("3"),
            "How many failed starts in a row end a pool without a ready worker; and how many workers in a row that the"
                    + " initializer ends stop new starts of a pool with ready ones."),
    PROGRESS_BAR(
            "progress-bar",
            ValueForm.SWITCH,
            Fallback.value("true"),
            "Whether a display on the class path, such as `fiber-progress-bar`, shows calls longer than 2 s."),
    WORKER_JAVA(
            "worker.java",
            ValueForm.TEXT,
            Fallback.words("the backend's: this process's Java, or the image's"),
            "The `java` of workers, as their host sees it."),
    WORKER_JVM_OPTIONS(
            "worker.jvm-options",
            ValueForm.JVM_OPTIONS,
            Fallback.words("none"),
            "Further JVM options of workers. A part without `-` or `@` belongs to the option before it:"
                    + " `-Xlog:gc,safepoint`.",
            Visibility.SENSITIVE),
    WORKER_INHERIT_OPTIONS(
            "worker.inherit-options",
            ValueForm.SWITCH,
            Fallback.value("true"),
            "Whether workers get the options of this JVM that change what code means (`-D`, `-ea`, `--add-opens`, …)."),
    REMOTE_CLASS_LOADING(
            "remote-class-loading",
            ValueForm.ON_OFF_AUTO,
            Fallback.value("auto"),
            "Whether workers are sent classes that they lack; `auto`: in JShell and under `java Main.java`."),
    IMAGE("image", ValueForm.TEXT, Fallback.words("the backend's choice"), "The container image of workers."),
    VOLUMES("volumes", ValueForm.VOLUMES, Fallback.words("none"), "Volumes of workers whose builder names none."),
    OUTPUT("output", ValueForm.OUTPUT, Fallback.value("console"), "Where standard output and error of workers go."),
    LOG_DIRECTORY(
            "log-directory",
            ValueForm.PATH,
            Fallback.words("`fiber-logs` in the working directory"),
            "The directory for `output = files`."),
    LOG_LEVEL(
            "log-level",
            ValueForm.LOG_LEVEL,
            Fallback.value("info"),
            "The level of Fiber's own records: of workers, and of every process in `log-file`."),
    LOG_FILE(
            "log-file",
            ValueForm.LOG_FILE,
            Fallback.words("none: a worker's records go to its standard error"),
            "The file for Fiber's own records, one for each process: `%n` is its name, `%p` its pid, `%%` a percent sign."
                    + " Processes of one name append to one file."),
    LOG_FILE_LIMIT(
            "log-file.limit",
            ValueForm.LOG_SIZE,
            Fallback.value("10m"),
            "A log file that would pass this size is renamed, with `.1` behind its name in place of the one before."),
    BIND_ADDRESS(
            "bind-address",
            ValueForm.TEXT,
            Fallback.words(
                    "loopback when workers run on this host, else the address that they dial; all addresses when that is"
                            + " none of this host's"),
            "The local address that this process listens at."),
    ADVERTISED_ADDRESS(
            "advertised-address",
            ValueForm.TEXT,
            Fallback.words("the backend's choice"),
            "The address that workers dial, when it differs from the bound one."),
    AGRONA_OPEN(
            "agrona.open",
            ValueForm.SWITCH,
            Fallback.value("true"),
            "Whether Fiber may open `jdk.internal.misc` to Agrona in process when the JVM lacks the option for it; `false`: FBR-110."),
    CDS("cds", ValueForm.SWITCH, Fallback.value("true"), "Whether workers start from a class-data archive."),
    CDS_DIRECTORY(
            "cds.directory",
            ValueForm.PATH,
            Fallback.words("a directory of this user in the system's place for caches"),
            "Where class-data archives are kept between sessions.");

    private final String key;
    private final ValueForm form;
    private final String fallback;
    private final boolean isFallbackValue;
    private final String description;
    private final Visibility visibility;
    private final String variable;

    ConfigKey(String key, ValueForm form, Fallback fallback, String description) {
        this(key, form, fallback, description, Visibility.PUBLIC);
    }

    ConfigKey(String key, ValueForm form, Fallback fallback, String description, Visibility visibility) {
        this.key = key;
        this.form = form;
        this.fallback = fallback.text();
        this.isFallbackValue = fallback.isValue();
        this.description = description;
        this.visibility = visibility;
        this.variable = variableOf(key);
    }

    /** Returns the name of this key in a file, for example {@code worker.java}. */
    public String key() {
        return key;
    }

    /** Returns the system property, for example {@code fiber.worker.java}. */
    public String property() {
        return "fiber." + key;
    }

    /** Returns the environment variable, for example {@code FIBER_WORKER_JAVA}. */
    public String variable() {
        return variable;
    }

    /** Returns what a value is read as. */
    public OptionType type() {
        return form.type();
    }

    /** Returns in words what a value must look like. */
    public String expectation() {
        return form.expectation();
    }

    /** Returns the value that holds when none is set; empty when the absence of a value has a meaning of its own. */
    public Optional<String> defaultValue() {
        return isFallbackValue ? Optional.of(fallback) : Optional.empty();
    }

    /** Returns what holds when nothing is set, for the documentation. */
    public String defaultText() {
        return isFallbackValue ? "`" + fallback + "`" : fallback;
    }

    /** Returns what the setting does, in Markdown. */
    public String description() {
        return description;
    }

    /** Returns whether a value may be shown. */
    public Visibility visibility() {
        return visibility;
    }

    ValueForm form() {
        return form;
    }

    static String variableOf(String key) {
        return "FIBER_" + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /** What holds when nothing is set: a value that could have been set, or a rule in words. */
    private record Fallback(String text, boolean isValue) {
        static Fallback value(String text) {
            return new Fallback(text, true);
        }

        static Fallback words(String text) {
            return new Fallback(text, false);
        }
    }
}
