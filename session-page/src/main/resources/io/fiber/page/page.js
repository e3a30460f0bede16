"use strict";

const INTERVAL_MS = 1000;
const TIMELINE_MS = 60000;
const SAMPLES = 10;
const GREATEST_ROWS = 200;
const COLOURS = 6;
const CHART_HEIGHT = 40;
const SVG = "http://www.w3.org/2000/svg";

// Of each pool by its name: its section, and the last samples of what it has done.
const sections = new Map();

function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) {
        made.textContent = text;
    }
    if (className) {
        made.className = className;
    }
    return made;
}

function time(ms) {
    return new Date(ms).toLocaleTimeString();
}

function sectionOf(pool) {
    let section = sections.get(pool.name);
    if (!section) {
        const node = element("section");
        const title = element("h2");
        const figures = element("dl");
        const calls = element("div", undefined, "calls");
        const chart = element("figure");
        const failures = element("details", undefined, "failures");
        const failed = element("table");
        failures.append(element("summary", "Tasks that failed last"), failed);
        const workers = element("table", undefined, "workers");
        const more = element("p", "", "quiet");
        const legend = element("p", "", "legend quiet");
        const details = element("details");
        const logs = element("div");
        details.append(element("summary", "What the workers wrote last"), logs);
        details.addEventListener("toggle", () => details.open && showLogs(pool.name, logs));
        node.append(title, figures, calls, chart, failures, workers, more, legend, details);
        node.dataset.pool = pool.name;
        document.getElementById("pools").append(node);
        section = {
            title, figures, calls, chart, failures, failed, workers, more, legend, details, logs,
            samples: [], cpuSamples: new Map(), functions: [],
        };
        sections.set(pool.name, section);
    }
    return section;
}

/** By how much a count has grown in a second, on average over the samples that are kept. */
function perSecond(samples, nowMs, count) {
    samples.push({ nowMs, count });
    if (samples.length > SAMPLES) {
        samples.shift();
    }
    const first = samples[0];
    return nowMs > first.nowMs ? (count - first.count) / ((nowMs - first.nowMs) / 1000) : 0;
}

function showFigures(section, figures) {
    section.figures.replaceChildren(...figures.map(([label, value]) => {
        const pair = element("div");
        pair.append(element("dt", label), element("dd", value.toLocaleString()));
        return pair;
    }));
}

function duration(ms) {
    const seconds = Math.round(ms / 1000);
    return seconds < 120 ? seconds + " s" : Math.round(seconds / 60) + " min";
}

/** How far a call is, and how long it will take if it goes on as until now. */
function showCalls(section, calls) {
    section.calls.replaceChildren(...calls.map(call => {
        const answered = call.done + call.failed;
        const line = element("p");
        const bar = element("progress");
        let words = "call " + call.number + ": " + answered.toLocaleString();
        if (call.total >= 0) {
            bar.max = call.total;
            bar.value = answered;
            words += " of " + call.total.toLocaleString() + " tasks";
            if (answered > 0) {
                words += ", about " + duration(call.elapsedMs / answered * (call.total - answered)) + " left";
            }
        } else {
            words += " tasks in " + duration(call.elapsedMs);
        }
        line.append(bar, element("span", words));
        return line;
    }));
}

function svgOf(width, height) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 " + width + " " + height);
    svg.setAttribute("preserveAspectRatio", "none");
    return svg;
}

function showChart(section, answers) {
    const greatest = Math.max(...answers);
    section.chart.hidden = greatest === 0;
    const svg = svgOf(answers.length - 1, CHART_HEIGHT);
    const line = document.createElementNS(SVG, "polyline");
    line.setAttribute("points", answers.map((tasks, second) =>
        second + "," + (CHART_HEIGHT - tasks / Math.max(1, greatest) * (CHART_HEIGHT - 2) - 1)).join(" "));
    svg.append(line);
    section.chart.replaceChildren(svg, element("figcaption",
        "Tasks answered in a second, the last " + duration(answers.length * 1000) + "; at most "
            + greatest.toLocaleString()));
}

function showFailures(section, failures) {
    section.failures.hidden = failures.length === 0;
    section.failed.replaceChildren(...failures.map(failure => {
        const row = element("tr");
        row.append(element("td", time(failure.atMs)), element("td", "call " + failure.call + ", task " + failure.task),
            element("td", failure.thrown), element("td", failure.message, "message"));
        return row;
    }));
}

/** Each function of a pool has a colour, the first ones one of their own. */
function colour(section, name) {
    if (!section.functions.includes(name)) {
        section.functions.push(name);
    }
    return "f" + section.functions.indexOf(name) % COLOURS;
}

function showLegend(section, outcomes) {
    const entries = [
        ...section.functions.map(name => [colour(section, name), name]),
        ...[["FAILED", "with failed tasks"], ["LOST", "lost"], ["CANCELLED", "cancelled"], ["TAKEN_BACK", "taken back"]]
            .filter(([outcome]) => outcomes.has(outcome)),
    ];
    section.legend.replaceChildren(...entries.map(([className, words]) => {
        const entry = element("span", words);
        const swatch = svgOf(1, 1);
        const rect = document.createElementNS(SVG, "rect");
        rect.setAttribute("width", 1);
        rect.setAttribute("height", 1);
        rect.setAttribute("class", className);
        swatch.append(rect);
        entry.prepend(swatch);
        return entry;
    }));
}

/** What a span is shown as: its outcome, or that tasks of it have failed. */
function look(span) {
    return span.outcome === "DONE" && span.failed ? "FAILED" : span.outcome;
}

function timeline(section, spans, nowMs) {
    const svg = svgOf(TIMELINE_MS, 10);
    for (const span of spans) {
        const from = Math.max(0, span.fromMs - nowMs + TIMELINE_MS);
        const rect = document.createElementNS(SVG, "rect");
        rect.setAttribute("x", from);
        rect.setAttribute("width", Math.max(TIMELINE_MS / 2000, span.toMs - nowMs + TIMELINE_MS - from));
        rect.setAttribute("height", 10);
        const shown = look(span);
        rect.setAttribute("class", shown + (shown === "DONE" ? " " + colour(section, span.function) : ""));
        const title = document.createElementNS(SVG, "title");
        title.textContent = span.function + ", " + span.tasks + " tasks, "
            + (span.failed ? span.failed + " failed, " : "") + (span.toMs - span.fromMs) + " ms, " + span.outcome;
        rect.append(title);
        svg.append(rect);
    }
    return svg;
}

function numberOf(name) {
    return Number(name.substring(name.lastIndexOf("-") + 1));
}

/** The workers of a pool that have ended in the last minute, as far as they have done something or it is known how. */
function ended(pool, byWorker, endings, nowMs) {
    const live = new Set(pool.workers.map(worker => numberOf(worker.name)));
    const prefix = new RegExp("^(p\\d+-)?" + pool.name.replace(/[^A-Za-z0-9]/g, ".") + "-\\d+$");
    const rows = new Map([...byWorker.keys()].filter(number => !live.has(number))
        .map(number => [number, { name: "worker " + number, state: "ended", host: "", number }]));
    for (const ending of endings) {
        const number = numberOf(ending.name);
        if (prefix.test(ending.name) && !live.has(number) && ending.atMs > nowMs - TIMELINE_MS) {
            rows.set(number, { name: ending.name, state: ending.state, host: ending.cause, number });
        }
    }
    return [...rows.values()].sort((a, b) => a.number - b.number);
}

function memory(worker) {
    return worker.memoryBytes ? Math.round(worker.memoryBytes / 1e6).toLocaleString() + " MB" : "";
}

/** How much of one processor a worker uses: with several threads it can be more than 100 %. */
function processor(section, worker, nowMs) {
    const samples = section.cpuSamples.get(worker.name);
    const usedMs = samples && perSecond(samples, nowMs, worker.cpuMs);
    return samples && samples.length > 1 ? Math.round(usedMs / 10) + " %" : "";
}

function workerRow(section, worker, spans, nowMs) {
    const row = element("tr", undefined, worker.number === undefined ? "" : "quiet");
    const cell = element("td", undefined, "time");
    cell.append(worker.waitsFor ? "waits: " + worker.waitsFor : timeline(section, spans, nowMs));
    row.append(element("td", worker.name), element("td", worker.state.toLowerCase()), element("td", worker.host),
        element("td", memory(worker), "number"), element("td", processor(section, worker, nowMs), "number"),
        element("td", worker.tasksRunning, "number"),
        element("td", worker.tasksHeld === undefined ? "" : worker.tasksHeld.toLocaleString(), "number"), cell);
    return row;
}

function showWorkers(section, pool, endings, nowMs) {
    const recent = pool.timeline.filter(span => span.toMs > nowMs - TIMELINE_MS);
    const byWorker = new Map();
    for (const span of recent) {
        byWorker.set(span.worker, [...(byWorker.get(span.worker) || []), span]);
    }
    const head = element("tr");
    head.append(element("th", "Worker"), element("th", "State"), element("th", "Host, or cause"),
        element("th", "Memory", "number"), element("th", "Processor", "number"),
        element("th", "Running", "number"), element("th", "Held", "number"), element("th", "The last minute", "time"));
    section.cpuSamples = new Map(pool.workers.filter(worker => worker.cpuMs)
        .map(worker => [worker.name, section.cpuSamples.get(worker.name) || []]));
    const gone = ended(pool, byWorker, endings, nowMs).slice(0, GREATEST_ROWS);
    const shown = [...gone, ...pool.workers.slice(0, GREATEST_ROWS)];
    section.workers.replaceChildren(head, ...shown.map(worker =>
        workerRow(section, worker, byWorker.get(worker.number ?? numberOf(worker.name)) || [], nowMs)));
    showLegend(section, new Set(recent.map(look)));
    const hidden = pool.workers.length - (shown.length - gone.length);
    section.more.textContent = hidden > 0 ? "and " + hidden.toLocaleString() + " more workers" : "";
}

function showPool(pool, endings, nowMs) {
    const section = sectionOf(pool);
    const counted = pool.counted;
    section.title.textContent = "Pool " + pool.name + ", " + pool.state.toLowerCase();
    showFigures(section, [
        ["Workers", pool.workers.length + " of " + pool.processes],
        ["Waiting", pool.tasksWaiting],
        ["Running", pool.tasksRunning],
        ["Done", counted.tasksDone],
        ["Failed", counted.tasksFailed],
        ["Tasks per second", Math.round(perSecond(section.samples, nowMs, counted.tasksDone))],
        ["Tried again", counted.tasksRetried],
        ["Workers lost", counted.workersLost],
    ]);
    showCalls(section, pool.calls);
    showChart(section, pool.answersPerSecond);
    showFailures(section, pool.failures);
    showWorkers(section, pool, endings, nowMs);
}

function showEndings(endings) {
    document.getElementById("no-endings").hidden = endings.length > 0;
    const table = document.getElementById("endings");
    table.hidden = endings.length === 0;
    table.tBodies[0].replaceChildren(...endings.map(ending => {
        const row = element("tr");
        row.append(element("td", time(ending.atMs)), element("td", ending.name),
            element("td", ending.state.toLowerCase()), element("td", ending.cause));
        return row;
    }));
}

async function showLogs(pool, logs) {
    const answer = await fetch("logs/" + encodeURIComponent(pool));
    const byWorker = await answer.json();
    logs.replaceChildren(...Object.entries(byWorker).flatMap(([worker, lines]) =>
        [element("strong", worker), element("pre", lines.length ? lines.join("\n") : "(nothing)")]));
}

async function renew() {
    const connection = document.getElementById("connection");
    try {
        const answer = await fetch("state");
        if (!answer.ok) {
            throw new Error("status " + answer.status);
        }
        const state = await answer.json();
        state.pools.forEach(pool => showPool(pool, state.endings, state.nowMs));
        showEndings(state.endings);
        connection.textContent = "As of " + time(state.nowMs);
        connection.className = "";
    } catch (problem) {
        connection.textContent = "The program does not answer: it has ended, or closed this page. What is shown is the last that was heard.";
        connection.className = "broken";
    }
    setTimeout(renew, INTERVAL_MS);
}

renew();
