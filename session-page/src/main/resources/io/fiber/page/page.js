"use strict";

const INTERVAL_MS = 1000;
const TIMELINE_MS = 60000;
const SAMPLES = 10;
const GREATEST_ROWS = 200;
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
        const workers = element("table");
        const more = element("p", "", "quiet");
        const details = element("details");
        const logs = element("div");
        details.append(element("summary", "What the workers wrote last"), logs);
        details.addEventListener("toggle", () => details.open && showLogs(pool.name, logs));
        node.append(title, figures, workers, more, details);
        node.dataset.pool = pool.name;
        document.getElementById("pools").append(node);
        section = { title, figures, workers, more, details, logs, samples: [] };
        sections.set(pool.name, section);
    }
    return section;
}

function throughput(section, nowMs, done) {
    section.samples.push({ nowMs, done });
    if (section.samples.length > SAMPLES) {
        section.samples.shift();
    }
    const first = section.samples[0];
    return nowMs > first.nowMs ? (done - first.done) / ((nowMs - first.nowMs) / 1000) : 0;
}

function showFigures(section, figures) {
    section.figures.replaceChildren(...figures.map(([label, value]) => {
        const pair = element("div");
        pair.append(element("dt", label), element("dd", value.toLocaleString()));
        return pair;
    }));
}

function timeline(spans, nowMs) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 " + TIMELINE_MS + " 10");
    svg.setAttribute("preserveAspectRatio", "none");
    for (const span of spans) {
        const from = Math.max(0, span.fromMs - nowMs + TIMELINE_MS);
        const rect = document.createElementNS(SVG, "rect");
        rect.setAttribute("x", from);
        rect.setAttribute("width", Math.max(TIMELINE_MS / 2000, span.toMs - nowMs + TIMELINE_MS - from));
        rect.setAttribute("height", 10);
        rect.setAttribute("class", span.outcome);
        const title = document.createElementNS(SVG, "title");
        title.textContent = span.tasks + " tasks, " + (span.toMs - span.fromMs) + " ms, " + span.outcome;
        rect.append(title);
        svg.append(rect);
    }
    return svg;
}

function showWorkers(section, pool, nowMs) {
    const recent = pool.timeline.filter(span => span.toMs > nowMs - TIMELINE_MS);
    const byWorker = new Map();
    for (const span of recent) {
        byWorker.set(span.worker, [...(byWorker.get(span.worker) || []), span]);
    }
    const head = element("tr");
    head.append(element("th", "Worker"), element("th", "State"), element("th", "Running", "number"),
        element("th", "Held", "number"), element("th", "The last minute", "time"));
    const rows = pool.workers.slice(0, GREATEST_ROWS).map(worker => {
        const number = Number(worker.name.substring(worker.name.lastIndexOf("-") + 1));
        const row = element("tr");
        const cell = element("td", undefined, "time");
        cell.append(worker.waitsFor ? "waits: " + worker.waitsFor : timeline(byWorker.get(number) || [], nowMs));
        row.append(element("td", worker.name), element("td", worker.state.toLowerCase()),
            element("td", worker.tasksRunning, "number"), element("td", worker.tasksHeld.toLocaleString(), "number"), cell);
        return row;
    });
    section.workers.replaceChildren(head, ...rows);
    const hidden = pool.workers.length - rows.length;
    section.more.textContent = hidden > 0 ? "and " + hidden.toLocaleString() + " more workers" : "";
}

function showPool(pool, nowMs) {
    const section = sectionOf(pool);
    const counted = pool.counted;
    section.title.textContent = "Pool " + pool.name + ", " + pool.state.toLowerCase();
    showFigures(section, [
        ["Workers", pool.workers.length + " of " + pool.processes],
        ["Waiting", pool.tasksWaiting],
        ["Running", pool.tasksRunning],
        ["Done", counted.tasksDone],
        ["Failed", counted.tasksFailed],
        ["Tasks per second", Math.round(throughput(section, nowMs, counted.tasksDone))],
        ["Tried again", counted.tasksRetried],
        ["Workers lost", counted.workersLost],
    ]);
    showWorkers(section, pool, nowMs);
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
        state.pools.forEach(pool => showPool(pool, state.nowMs));
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
