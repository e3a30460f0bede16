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
            Fallback.words(
                    "the only one on the class path; else the platform that this process runs inside of; else the"
                            + " default backend"),
            "The backend that starts the workers, by name."),
    TRANSPORT(
            "transport",
            ValueForm.TEXT,
            Fallback.words("the only one on the class path; else the default transport, `aeron`"),
            "The transport that carries messages between processes, by name."),
    SERIALIZER(
            "serializer",
            ValueForm.TEXT,
            Fallback.words("the built-in one, Java serialization behind a filter"),
            "The serializer that turns objects into bytes, by name."),
    CONFIG(
            "config",
            ValueForm.PATH,
            Fallback.words("`.fiberconfig` in the working directory, when there is one"),
            "The file to read settings from. It cannot be set in such a file. A file that is named here may belong to"
                    + " another user."),
    LEASE(
            "lease",
            ValueForm.POSITIVE_DURATION,
            Fallback.value("20s"),
            "How long a process may be silent before it is taken for dead, by the master and by itself."),
    START_LIMIT(
            "start-limit",
            ValueForm.POSITIVE_DURATION,
            Fallback.value("60s"),
            "How long a worker may take from the moment its job runs until it has connected."),
    SHUTDOWN_GRACE(
            "shutdown-grace",
            ValueForm.DURATION,
            Fallback.value("5s"),
            "How long a worker that is terminated may take to end by itself before it is killed."),
    RETRIES(
            "retries",
            ValueForm.COUNT,
            Fallback.value("2"),
            "How often a task is run again when its worker dies; 2 makes three attempts, 0 switches it off."),
    MAX_START_FAILURES(
            "max-start-failures",
            ValueForm.POSITIVE_COUNT,
            Fallback.value("3"),
            "How many workers may fail to start, one after the other, before a pool of which no worker is ready gives"
                    + " up; and how many workers the initializer may end, one after the other, before a pool of which"
                    + " others are ready starts no more."),
    PROGRESS_BAR(
            "progress-bar",
            ValueForm.SWITCH,
            Fallback.value("true"),
            "Whether calls that last longer than 2 s are shown by what is on the class path for it, for example"
                    + " `fiber-progress-bar`, which draws on a terminal."),
    WORKER_JAVA(
            "worker.java",
            ValueForm.TEXT,
            Fallback.words("the backend's choice: the Java of this process, or that of the image"),
            "The `java` executable that a worker is started with, as the worker's host sees it."),
    WORKER_JVM_OPTIONS(
            "worker.jvm-options",
            ValueForm.JVM_OPTIONS,
            Fallback.words("none"),
            "Further options for the JVM of a worker. A part that does not begin with `-` or `@` belongs to the option"
                    + " before it, as in `-Xlog:gc,safepoint`.",
            Visibility.SENSITIVE),
    WORKER_INHERIT_OPTIONS(
            "worker.inherit-options",
            ValueForm.SWITCH,
            Fallback.value("true"),
            "Whether workers get the options of this JVM that change the meaning of code: `-D`, `-ea`, `--add-opens`"
                    + " and so on."),
    REMOTE_CLASS_LOADING(
            "remote-class-loading",
            ValueForm.ON_OFF_AUTO,
            Fallback.value("auto"),
            "Whether classes that a worker lacks are sent to it: `on`, `off`, or `auto`, which means in JShell and"
                    + " under `java Main.java`."),
    IMAGE(
            "image",
            ValueForm.TEXT,
            Fallback.words("the backend's choice"),
            "The container image of a worker, on backends that run containers."),
    OUTPUT(
            "output",
            ValueForm.OUTPUT,
            Fallback.value("console"),
            "Where the standard output and error of a worker go: to this program's own `console`, to `files`, or to"
                    + " `none`."),
    LOG_DIRECTORY(
            "log-directory",
            ValueForm.PATH,
            Fallback.words("`fiber-logs` in the working directory"),
            "The directory for the files of `output = files`."),
    LOG_LEVEL(
            "log-level",
            ValueForm.LOG_LEVEL,
            Fallback.value("info"),
            "From which level on Fiber's own records are written: by workers, and by every process into `log-file`."),
    LOG_FILE(
            "log-file",
            ValueForm.LOG_FILE,
            Fallback.words("none: a worker's records go to its standard error"),
            "The file for Fiber's own records, one for each process: `%n` stands for the process's name, `%p` for its"
                    + " pid, `%%` for a percent sign. Processes with one name append to one file."),
    LOG_FILE_LIMIT(
            "log-file.limit",
            ValueForm.LOG_SIZE,
            Fallback.value("10m"),
            "The size that a log file does not pass: it is renamed then, with `.1` behind its name in place of the one"
                    + " before, and a new one begun."),
    BIND_ADDRESS(
            "bind-address",
            ValueForm.TEXT,
            Fallback.words("the backend's choice: loopback when workers run on this host, else all addresses"),
            "The local address that this process listens at."),
    ADVERTISED_ADDRESS(
            "advertised-address",
            ValueForm.TEXT,
            Fallback.words("the backend's choice"),
            "The address that workers dial to reach this process, when it differs from the one bound."),
    AGRONA_OPEN(
            "agrona.open",
            ValueForm.SWITCH,
            Fallback.value("true"),
            "Whether Fiber may open `jdk.internal.misc` to Agrona in process when the JVM was started without the"
                    + " option for it. When `false`, such a JVM is refused with FBR-110."),
    CDS("cds", ValueForm.SWITCH, Fallback.value("true"), "Whether workers start from a class-data archive."),
    CDS_DIRECTORY(
            "cds.directory",
            ValueForm.PATH,
            Fallback.words("a directory of this user in the system's place for caches"),
            "The directory that class-data archives are kept in from one session to the next.");

    private final String key;
    private final ValueForm form;
    private final String fallback;
    private final Fallback.Kind fallbackKind;
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
        this.fallbackKind = fallback.kind();
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
        return fallbackKind == Fallback.Kind.VALUE ? Optional.of(fallback) : Optional.empty();
    }

    /** Returns what holds when nothing is set, for the documentation. */
    public String defaultText() {
        return fallbackKind == Fallback.Kind.VALUE ? "`" + fallback + "`" : fallback;
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
    private record Fallback(String text, Kind kind) {
        private enum Kind {
            VALUE,
            WORDS
        }

        static Fallback value(String text) {
            return new Fallback(text, Kind.VALUE);
        }

        static Fallback words(String text) {
            return new Fallback(text, Kind.WORDS);
        }
    }
}
