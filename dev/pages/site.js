// SPDX-License-Identifier: Apache-2.0
"use strict";

// The theme: that of the system unless the reader has chosen one. It is set before the page is drawn.
const THEMES = { auto: "Auto", light: "Light", dark: "Dark" };
const MOST_RESULTS = 15;
const SNIPPET = 160;

function theme() {
    try {
        return localStorage.getItem("theme") ?? "auto";
    } catch {
        return "auto"; // The reader's browser stores nothing.
    }
}

function showTheme() {
    document.documentElement.dataset.theme = theme();
    // A picture for dark pages is chosen by the system's theme alone.
    for (const source of document.querySelectorAll("picture source[media*=prefers-color-scheme]")) {
        source.dataset.media ??= source.media;
        source.media = theme() === "auto" ? source.dataset.media : source.dataset.media.includes(theme()) ? "all" : "not all";
    }
}

function nextTheme() {
    const names = Object.keys(THEMES);
    localStorage.setItem("theme", names[(names.indexOf(theme()) + 1) % names.length]);
    showTheme();
}

// Entries are loaded with the first search: [page, heading, address, text].
function loadEntries(up) {
    if (!document.getElementById("entries")) {
        const script = document.createElement("script");
        script.id = "entries";
        script.src = up + "search.js";
        script.onload = () => document.getElementById("search").dispatchEvent(new Event("input"));
        document.head.append(script);
    }
}

// The more of an entry's words are in its heading, the better; 0 if one of them is nowhere in it.
function score([page, heading, , text], words) {
    let sum = 0;
    for (const word of words) {
        const inHeading = heading.toLowerCase().includes(word);
        if (!inHeading && !(page + " " + text).toLowerCase().includes(word)) {
            return 0;
        }
        sum += heading.toLowerCase() === word ? 20 : inHeading ? 8 : page.toLowerCase().includes(word) ? 3 : 1;
    }
    return sum;
}

function withMarks(text, words) {
    const marked = document.createElement("small");
    const begin = Math.max(0, text.toLowerCase().indexOf(words[0]) - SNIPPET / 3);
    const snippet = (begin > 0 ? "… " : "") + text.substr(begin, SNIPPET) + (begin + SNIPPET < text.length ? " …" : "");
    const pattern = new RegExp("(" + words.map((word) => word.replace(/[^\w]/g, "\\$&")).join("|") + ")", "i");
    snippet.split(pattern).forEach((part, i) => {
        const node = document.createElement(i % 2 ? "mark" : "span");
        node.textContent = part;
        marked.append(node);
    });
    return marked;
}

function showResults(input, results) {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    results.hidden = words.length === 0;
    results.replaceChildren();
    if (results.hidden || typeof SEARCH_ENTRIES === "undefined") {
        return;
    }
    SEARCH_ENTRIES.map((entry) => ({ entry, score: score(entry, words) }))
        .filter((found) => found.score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, MOST_RESULTS)
        .forEach(({ entry: [page, heading, address, text] }) => {
            const link = document.createElement("a");
            link.href = input.dataset.up + address;
            link.textContent = page === heading ? page : page + " › " + heading;
            link.append(withMarks(text, words));
            results.append(link);
        });
    if (!results.hasChildNodes()) {
        const none = document.createElement("p");
        none.textContent = "Nothing found.";
        results.append(none);
    }
}

showTheme();
addEventListener("storage", showTheme);
addEventListener("DOMContentLoaded", () => {
    showTheme();
    const input = document.getElementById("search");
    if (input === null || !input.dataset.up && input.dataset.up !== "") {
        return; // A page of the javadoc, which has a search of its own.
    }
    const results = document.getElementById("results");
    const button = document.getElementById("theme");
    const menu = document.getElementById("menu");
    button.textContent = THEMES[theme()];
    button.onclick = () => {
        nextTheme();
        button.textContent = THEMES[theme()];
    };
    menu.onclick = () => menu.setAttribute("aria-expanded", document.getElementById("pages").classList.toggle("open"));
    input.onfocus = () => loadEntries(input.dataset.up);
    input.oninput = () => {
        loadEntries(input.dataset.up);
        showResults(input, results);
    };
    input.onkeydown = (event) => {
        if (event.key === "Enter") {
            results.querySelector("a")?.click();
        }
    };
    document.addEventListener("keydown", (event) => {
        if (event.key === "/" && document.activeElement !== input) {
            event.preventDefault();
            input.focus();
        } else if (event.key === "Escape") {
            results.hidden = true;
        }
    });
    document.addEventListener("click", (event) => {
        results.hidden = !event.target.closest(".search") || input.value === "";
    });
    document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest" });
});
