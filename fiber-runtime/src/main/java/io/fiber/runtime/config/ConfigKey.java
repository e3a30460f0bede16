// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import io.fiber.spi.OptionKey.Visibility;
import java.util.Locale;
import java.util.Optional;

/**
 * Every setting of Fiber itself, with its name, form and default. {@code docs/configuration.md} explains each, in a
 * table whose other columns are generated from here. A provider declares its own settings.
 */
public enum ConfigKey {
    BACKEND(
            "backend",
            ValueForm.TEXT,
            Fallback.words(
                    "the only one on the class path; otherwise the platform around this process; otherwise `local`")),
    TRANSPORT(
            "transport",
            ValueForm.TEXT,
            Fallback.words("`aeron` if it is on the class path; otherwise the only one there, which is `socket`")),
    SERIALIZER("serializer", ValueForm.TEXT, Fallback.words("the built-in one, Java serialization with a filter")),
    ALLOWED_CLASSES("allowed-classes", ValueForm.CLASSES, Fallback.words("none")),
    CONFIG("config", ValueForm.PATH, Fallback.words("`.fiberconfig` in the working directory, if it exists")),
    LEASE("lease", ValueForm.POSITIVE_DURATION, Fallback.value("20s")),
    START_LIMIT("start-limit", ValueForm.POSITIVE_DURATION, Fallback.value("60s")),
    SHUTDOWN_GRACE("shutdown-grace", ValueForm.DURATION, Fallback.value("5s")),
    STOP_NOTICE("stop-notice", ValueForm.DURATION, Fallback.value("8s")),
    DEBUG("debug", ValueForm.DEBUG, Fallback.value("false")),
    MAX_RERUNS("max-reruns", ValueForm.COUNT, Fallback.value("2")),
    MAX_START_FAILURES("max-start-failures", ValueForm.POSITIVE_COUNT, Fallback.value("3")),
    PROGRESS_BAR("progress-bar", ValueForm.SWITCH, Fallback.value("true")),
    WORKER_JAVA("worker.java", ValueForm.TEXT, Fallback.words("the backend's: this process's Java, or the image's")),
    WORKER_JVM_OPTIONS("worker.jvm-options", ValueForm.JVM_OPTIONS, Fallback.words("none"), Visibility.SENSITIVE),
    WORKER_INHERIT_OPTIONS("worker.inherit-options", ValueForm.SWITCH, Fallback.value("true")),
    REMOTE_CLASS_LOADING("remote-class-loading", ValueForm.ON_OFF_AUTO, Fallback.value("auto")),
    IMAGE("image", ValueForm.TEXT, Fallback.words("the backend's choice")),
    VOLUMES("volumes", ValueForm.VOLUMES, Fallback.words("none")),
    OUTPUT("output", ValueForm.OUTPUT, Fallback.value("console")),
    LOG_DIRECTORY("log-directory", ValueForm.PATH, Fallback.words("`fiber-logs` in the working directory")),
    LOG_LEVEL("log-level", ValueForm.LOG_LEVEL, Fallback.value("info")),
    LOG_FILE("log-file", ValueForm.LOG_FILE, Fallback.words("none: a worker's records go to its standard error")),
    LOG_FILE_LIMIT("log-file.limit", ValueForm.LOG_SIZE, Fallback.value("10m")),
    BIND_ADDRESS(
            "bind-address",
            ValueForm.TEXT,
            Fallback.words(
                    "the loopback if workers run on this host; otherwise the address that they dial, or all addresses"
                            + " if that is not one of this host's")),
    ADVERTISED_ADDRESS("advertised-address", ValueForm.TEXT, Fallback.words("the backend's choice")),
    AGRONA_OPEN("agrona.open", ValueForm.SWITCH, Fallback.value("true")),
    CDS("cds", ValueForm.SWITCH, Fallback.value("true")),
    CDS_DIRECTORY(
            "cds.directory", ValueForm.PATH, Fallback.words("a directory of this user in the system's cache location"));

    private final String key;
    private final ValueForm form;
    private final String fallback;
    private final boolean isFallbackValue;
    private final Visibility visibility;

    ConfigKey(String key, ValueForm form, Fallback fallback) {
        this(key, form, fallback, Visibility.PUBLIC);
    }

    ConfigKey(String key, ValueForm form, Fallback fallback, Visibility visibility) {
        this.key = key;
        this.form = form;
        this.fallback = fallback.text();
        this.isFallbackValue = fallback.isValue();
        this.visibility = visibility;
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
        return variableOf(key);
    }

    public String expectation() {
        return form.expectation();
    }

    /** Returns the default value; empty if the absence of a value has a meaning of its own. */
    public Optional<String> defaultValue() {
        return isFallbackValue ? Optional.of(fallback) : Optional.empty();
    }

    /** Returns the default, for the documentation. */
    public String defaultText() {
        return isFallbackValue ? "`" + fallback + "`" : fallback;
    }

    public Visibility visibility() {
        return visibility;
    }

    ValueForm form() {
        return form;
    }

    static String variableOf(String key) {
        return "FIBER_" + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /** The default: a value that could have been set, or a rule in words. */
    private record Fallback(String text, boolean isValue) {
        static Fallback value(String text) {
            return new Fallback(text, true);
        }

        static Fallback words(String text) {
            return new Fallback(text, false);
        }
    }
}
