// SPDX-License-Identifier: Apache-2.0
"use strict";

// Runs in the browser, for dev/SiteCheck.java, which names the PAGES. Reports one fault a line.
const NARROW = { width: 400, theme: "dark" };
const WIDE = { width: 1280, theme: "light" };
const SEARCHED = "retries";
// A link of JDK 17's javadoc to a group of packages that has no heading.
const EXCEPTED = "javadoc/constant-values.html#io.fiber";
const PATIENCE_MS = 5000;

const faults = new Set();
// By page: the ids that a link may lead to, and the addresses of its links.
const ids = new Map();
const links = new Map();

function pathOf(url) {
    return decodeURIComponent(url.pathname.slice(1));
}

function opened(page, view) {
    localStorage.setItem("theme", view.theme);
    return new Promise((resolve) => {
        const frame = document.createElement("iframe");
        frame.width = view.width;
        frame.height = 900;
        frame.onload = () => resolve(frame);
        frame.src = "/" + encodeURI(page);
        document.body.append(frame);
    });
}

function overlap(a, b) {
    return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
}

async function lookAt(page, frame, say) {
    const shown = frame.contentDocument;
    for (const image of shown.images) {
        const address = image.getAttribute("src");
        await image.decode().catch(() => say(`the picture ${address} cannot be shown`));
        for (const other of shown.querySelectorAll("pre, table")) {
            if (!other.contains(image) && overlap(image.getBoundingClientRect(), other.getBoundingClientRect())) {
                say(`the picture ${address} covers other content`);
            }
        }
    }
    if (shown.documentElement.scrollWidth > shown.documentElement.clientWidth) {
        say("is wider than the window");
    }
    for (const { name } of frame.contentWindow.performance.getEntriesByType("resource")) {
        if (new URL(name).origin !== location.origin) {
            say(`loads ${name} from another host`);
        }
    }
    ids.set(page, new Set([...shown.querySelectorAll("[id], a[name]")].flatMap((node) => [node.id, node.name])));
    links.set(page, new Set([...shown.querySelectorAll("a[href], area[href]")].map((link) => link.href)));
}

async function followLinks() {
    const there = new Map();
    for (const [page, addresses] of links) {
        for (const address of addresses) {
            const url = new URL(address);
            const path = pathOf(url);
            if (url.origin !== location.origin) {
                if (!["http:", "https:", "mailto:"].includes(url.protocol)) {
                    faults.add(`${page}: the link ${address} leads out of the site`);
                }
            } else if (ids.has(path)) {
                const heading = decodeURIComponent(url.hash.slice(1));
                if (heading !== "" && !ids.get(path).has(heading) && !address.endsWith(EXCEPTED)) {
                    faults.add(`${page}: the link to ${path}#${heading} leads to no such heading`);
                }
            } else {
                if (!there.has(path)) {
                    there.set(path, (await fetch(url)).ok);
                }
                if (!there.get(path)) {
                    faults.add(`${page}: the link to ${path} leads nowhere`);
                }
            }
        }
    }
}

async function search() {
    const frame = await opened("index.html", WIDE);
    const input = frame.contentDocument.getElementById("search");
    const end = Date.now() + PATIENCE_MS;
    if (input !== null) {
        input.value = SEARCHED;
        input.dispatchEvent(new Event("input"));
        while (frame.contentDocument.querySelector("#results a") === null && Date.now() < end) {
            await new Promise((resolve) => setTimeout(resolve, 20));
        }
    }
    const results = [...frame.contentDocument.querySelectorAll("#results a")].map((link) => link.href);
    if (results.length === 0) {
        faults.add(`index.html: the search does not find '${SEARCHED}'`);
    }
    links.set("the search", new Set(results));
    frame.remove();
}

async function check() {
    for (const page of PAGES) {
        // Those in folders, of source code and javadoc, are alike.
        for (const view of page.includes("/") ? [NARROW] : [NARROW, WIDE]) {
            const frame = await opened(page, view);
            await lookAt(page, frame, (fault) => faults.add(`${page}: ${fault}, at ${view.width} pixels`));
            frame.remove();
        }
    }
    await search();
    await followLinks();
}

check()
    .catch((error) => faults.add("The check failed: " + error.stack))
    .then(() => fetch("report", { method: "POST", body: [...faults].join("\n") }));
