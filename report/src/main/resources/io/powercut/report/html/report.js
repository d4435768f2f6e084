"use strict";
(() => {
  const find = (id) => document.getElementById(id);

  const element = (name, className, ...content) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...content);
    return made;
  };

  // The findings: what does not match is hidden, so that without this script all are there.
  const filter = find("filter");
  if (filter) {
    const findings = Array.from(document.querySelectorAll(".finding"));
    const chosen = (name) => find("filter-" + name).value;

    // Made at the first search: a report can hold megabytes of text.
    const words = new Map();
    const textOf = (finding) => {
      if (!words.has(finding)) words.set(finding, finding.textContent.toLowerCase());
      return words.get(finding);
    };
    const matches = (finding) =>
      ["severity", "kind", "accepted"].every(
        (name) => chosen(name) === "" || finding.dataset[name] === chosen(name),
      ) &&
      chosen("text")
        .toLowerCase()
        .split(/\s+/)
        .every((word) => word === "" || textOf(finding).includes(word));

    const apply = () => {
      let shown = 0;
      for (const finding of findings) {
        finding.hidden = !matches(finding);
        shown += finding.hidden ? 0 : 1;
      }
      // What is looked for is not to stay folded away.
      if (shown < findings.length) {
        for (const group of groups) group.open = group.querySelector(".finding:not([hidden])") !== null;
      }
      find("filter-count").textContent = `${shown} of ${findings.length}`;
    };
    const groups = Array.from(document.querySelectorAll("details.group"));
    const setOpen = (open) => {
      for (const group of groups) group.open = open;
      for (const finding of findings) {
        if (!finding.hidden) finding.firstElementChild.open = open;
      }
    };

    filter.hidden = false;
    // Lists tell by one of the two, fields by the other as one types.
    filter.addEventListener("input", apply);
    filter.addEventListener("change", apply);
    filter.addEventListener("submit", (event) => event.preventDefault());
    find("unfold").addEventListener("click", () => setOpen(true));
    find("fold").addEventListener("click", () => setOpen(false));
    apply();

    const showLinked = () => {
      const linked = location.hash.startsWith("#f-") && find(location.hash.slice(1));
      if (!linked) return;
      if (linked.hidden) {
        filter.reset();
        apply();
      }
      const group = linked.closest("details.group");
      if (group) group.open = true;
      if (linked.classList.contains("finding")) linked.firstElementChild.open = true;
      linked.scrollIntoView();
    };
    window.addEventListener("hashchange", showLinked);
    showLinked();
  }

  // Paper cannot be unfolded.
  let unfolded = [];
  window.addEventListener("beforeprint", () => {
    unfolded = Array.from(document.querySelectorAll("#summary details:not([open]), .group:not([open]), .finding:not([hidden]) > details:not([open])"));
    for (const details of unfolded) details.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const details of unfolded) details.open = false;
  });

  for (const button of document.querySelectorAll(".copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = button.previousElementSibling;
      try {
        await navigator.clipboard.writeText(code.textContent);
      } catch {
        // Not allowed from every kind of address: then it is at least selected.
        getSelection().selectAllChildren(code);
        document.execCommand("copy");
      }
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
  }

  // The tree: nodes are drawn when their parent is unfolded for the first time, some at a time.
  const data = find("tree-data");
  if (data) {
    const SHOWN_AT_ONCE = 200;
    const FRAMES_SHOWN = 12;
    const [PARENT, FRAMES, ID, INSTRUCTION, REACHED, KIND, SEEN, FINDING] = [0, 1, 2, 3, 4, 5, 6, 7];
    const { names, words, nodes } = JSON.parse(data.textContent);
    const isLeaf = (node) => node.length > ID;
    const MARKS = { consistent: "✓", bug: "✗", inconclusive: "?" };
    const BUGS = ["UNRECOVERABLE", "CRASHED", "HUNG"];
    const verdictOf = (leaf) => {
      const kind = words[leaf[KIND]];
      return kind === "CONSISTENT" ? "consistent" : BUGS.includes(kind) ? "bug" : "inconclusive";
    };

    // Parents stand before their children, so going backwards all counts are complete.
    const children = nodes.map(() => []);
    const counts = nodes.map(() => ({ consistent: 0, bug: 0, inconclusive: 0 }));
    for (let number = nodes.length - 1; number >= 0; number--) {
      const node = nodes[number];
      if (isLeaf(node)) counts[number][verdictOf(node)] = 1;
      const parent = node[PARENT];
      if (parent < 0) continue;
      children[parent].push(number);
      for (const verdict in MARKS) counts[parent][verdict] += counts[number][verdict];
    }
    // What has bugs comes first, or it could stand behind hundreds of others.
    for (const list of children) {
      list.reverse();
      list.sort((one, other) => (counts[other].bug > 0) - (counts[one].bug > 0));
    }

    const framesOf = (node) => {
      const frames = element("span", "frames");
      const all = node[FRAMES];
      const head = all.length > FRAMES_SHOWN ? FRAMES_SHOWN / 2 : all.length;
      const tail = all.length > FRAMES_SHOWN ? all.length - FRAMES_SHOWN / 2 : all.length;
      all.slice(0, head).forEach((name) => frames.append(element("span", "", element("code", "", names[name]))));
      if (tail > head) frames.append(element("span", "note", `… ${tail - head} frames`));
      all.slice(tail).forEach((name) => frames.append(element("span", "", element("code", "", names[name]))));
      return frames;
    };

    const leafOf = (node) => {
      const verdict = verdictOf(node);
      const mark = element("span", "mark " + verdict, MARKS[verdict]);
      mark.title = words[node[KIND]].toLowerCase().replace("_", " ");
      const times = node[REACHED] === 1 ? "1 time" : `${node[REACHED]} times`;
      const facts = element("span", "facts", `${words[node[INSTRUCTION]]}, ${times}, ${node[ID]} `);
      // Consistent ones all say the same.
      if (verdict !== "consistent") facts.append(words[node[SEEN]], " ");
      if (node.length > FINDING) {
        const link = element("a", "", "finding");
        link.href = "#f-" + node[FINDING];
        facts.append(link);
      }
      const frames = framesOf(node);
      frames.lastElementChild.prepend(mark);
      frames.lastElementChild.append(" ", facts);
      return element("div", "leaf", frames);
    };

    const folds = new Map();

    const innerOf = (number) => {
      const summary = element("summary", "", framesOf(nodes[number]));
      const counted = element("span", "counts");
      for (const verdict in MARKS) {
        if (counts[number][verdict] > 0) {
          counted.append(element("span", verdict, `${MARKS[verdict]} ${counts[number][verdict]}`));
        }
      }
      summary.lastElementChild.lastElementChild.append(" ", counted);
      const details = element("details", "", summary);
      details.addEventListener("toggle", () => details.open && fill(number));
      folds.set(number, details);
      return details;
    };

    const append = (list, numbers, from) => {
      for (const number of numbers.slice(from, from + SHOWN_AT_ONCE)) {
        list.append(element("li", "", isLeaf(nodes[number]) ? leafOf(nodes[number]) : innerOf(number)));
      }
      const rest = numbers.length - from - SHOWN_AT_ONCE;
      if (rest > 0) {
        const more = element("button", "", `${rest} more`);
        more.type = "button";
        const item = element("li", "", more);
        more.addEventListener("click", () => {
          item.remove();
          append(list, numbers, from + SHOWN_AT_ONCE);
        });
        list.append(item);
      }
    };

    const fill = (number) => {
      const details = folds.get(number);
      if (details.children.length > 1) return;
      const list = element("ul");
      append(list, children[number], 0);
      details.append(list);
    };

    const root = element("ul");
    append(root, [0], 0);
    find("tree-root").append(root);
    folds.get(0).open = true;

    const unfoldToBugs = (numbers) => {
      for (const number of numbers) {
        if (counts[number].bug > 0 && folds.has(number)) {
          fill(number);
          folds.get(number).open = true;
          unfoldToBugs(children[number]);
        }
      }
    };

    // The same tree as an icicle: a row for each call, the outermost on top, as wide as it was reached.
    const icicle = find("icicle");
    const ROWS = 40;
    const ROW_HEIGHT = 22;
    const NARROWEST = 0.002;
    const MOST_BOXES = 3000;
    const sizes = { occurrences: nodes.map(() => 0), points: nodes.map(() => 0) };
    for (let number = nodes.length - 1; number >= 0; number--) {
      const node = nodes[number];
      if (isLeaf(node)) {
        sizes.occurrences[number] = Math.max(1, node[REACHED]);
        sizes.points[number] = 1;
      }
      if (node[PARENT] < 0) continue;
      for (const unit in sizes) sizes[unit][node[PARENT]] += sizes[unit][number];
    }
    const unitOf = () => sizes[find("icicle-unit").value];
    // The first of its calls, and of functions inlined there the innermost: what tells it from its neighbours.
    const nameOf = (number) => names[nodes[number][FRAMES][0]].split("\n").pop();
    const lookOf = (number) =>
      counts[number].bug > 0 ? "bug" : counts[number].inconclusive > 0 ? "inconclusive" : "consistent";
    const texts = new Map();
    const searched = (number) => {
      if (!texts.has(number)) {
        const node = nodes[number];
        const own = node[FRAMES].map((name) => names[name]);
        if (isLeaf(node)) own.push(node[ID], words[node[INSTRUCTION]], words[node[KIND]], words[node[SEEN]]);
        texts.set(number, own.join(" ").toLowerCase());
      }
      return texts.get(number);
    };
    let top = 0;
    let chosen = 0;
    const boxes = new Map();

    const boxOf = (number, row, left, width, found) => {
      const look = lookOf(number);
      const dim = found === null || found.has(number) ? "" : " dim";
      const mark = look === "consistent" ? "" : MARKS[look] + " ";
      const box = element("button", look + dim, mark + nameOf(number));
      box.type = "button";
      box.tabIndex = number === chosen ? 0 : -1;
      box.dataset.node = number;
      box.title = nameOf(number);
      box.style.left = `${100 * left}%`;
      box.style.width = `max(1px, calc(${100 * width}% - 1px))`;
      box.style.top = `${row * ROW_HEIGHT}px`;
      boxes.set(number, box);
      return box;
    };

    const drawIcicle = () => {
      const size = unitOf();
      const wanted = find("icicle-text").value.toLowerCase().split(/\s+/).filter((word) => word !== "");
      let found = null;
      if (wanted.length > 0) {
        found = new Set();
        let matching = 0;
        nodes.forEach((node, number) => {
          if (!wanted.every((word) => searched(number).includes(word))) return;
          matching++;
          for (let one = number; one >= 0; one = nodes[one][PARENT]) found.add(one);
        });
        find("icicle-count").textContent = matching === 1 ? "1 match" : `${matching} matches`;
      } else {
        find("icicle-count").textContent = "";
      }
      boxes.clear();
      const above = [];
      for (let one = nodes[top][PARENT]; one >= 0; one = nodes[one][PARENT]) above.unshift(one);
      const drawn = above.slice(-ROWS / 2).map((number, row) => boxOf(number, row, 0, 1, found));
      let last = drawn.length;
      const pending = [[top, last, 0, 1]];
      while (pending.length > 0 && drawn.length < MOST_BOXES) {
        const [number, row, left, width] = pending.shift();
        drawn.push(boxOf(number, row, left, width, found));
        last = Math.max(last, row);
        if (row + 1 >= ROWS) continue;
        let from = left;
        for (const child of children[number]) {
          const part = (width * size[child]) / size[number];
          if (part >= NARROWEST || (found !== null && found.has(child))) pending.push([child, row + 1, from, part]);
          from += part;
        }
      }
      find("icicle-boxes").replaceChildren(...drawn);
      find("icicle-boxes").style.height = `${(last + 1) * ROW_HEIGHT}px`;
    };

    const choose = (number) => {
      chosen = number;
      for (const [one, box] of boxes) box.tabIndex = one === number ? 0 : -1;
      const node = nodes[number];
      const facts = [
        `${sizes.occurrences[number]} occurrences at ${sizes.points[number]} failure points`,
        ...Object.keys(MARKS).filter((verdict) => counts[number][verdict] > 0).map((verdict) => `${MARKS[verdict]} ${counts[number][verdict]} ${verdict}`),
      ];
      find("icicle-chosen").replaceChildren(
        isLeaf(node) ? leafOf(node) : framesOf(node),
        element("p", "note", facts.join(", ")),
      );
    };

    const zoom = (number) => {
      top = isLeaf(nodes[number]) && nodes[number][PARENT] >= 0 ? nodes[number][PARENT] : number;
      choose(number);
      drawIcicle();
      const box = boxes.get(number);
      if (box) box.focus();
    };

    const besides = (number, step) => {
      const parent = nodes[number][PARENT];
      const list = parent < 0 ? [number] : children[parent].filter((one) => boxes.has(one));
      return list[list.indexOf(number) + step];
    };
    const NEXT = {
      ArrowUp: (number) => nodes[number][PARENT],
      ArrowDown: (number) => children[number].find((one) => boxes.has(one)),
      ArrowLeft: (number) => besides(number, -1),
      ArrowRight: (number) => besides(number, 1),
    };

    icicle.hidden = false;
    const boxesElement = find("icicle-boxes");
    boxesElement.addEventListener("click", (event) => {
      const box = event.target.closest("button");
      if (box) zoom(Number(box.dataset.node));
    });
    boxesElement.addEventListener("focusin", (event) => choose(Number(event.target.dataset.node)));
    boxesElement.addEventListener("pointerover", (event) => {
      const box = event.target.closest("button");
      if (box && !boxesElement.contains(document.activeElement)) choose(Number(box.dataset.node));
    });
    boxesElement.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        zoom(0);
        return;
      }
      const next = event.key in NEXT ? NEXT[event.key](chosen) : undefined;
      if (!(event.key in NEXT)) return;
      event.preventDefault();
      if (next !== undefined && boxes.has(next)) boxes.get(next).focus();
    });
    find("icicle-controls").addEventListener("submit", (event) => event.preventDefault());
    find("icicle-text").addEventListener("input", drawIcicle);
    find("icicle-unit").addEventListener("change", drawIcicle);
    find("icicle-whole").addEventListener("click", () => zoom(0));
    drawIcicle();
    choose(0);

    find("tree-controls").hidden = false;
    const toBugs = find("tree-unfold");
    toBugs.disabled = !nodes.some((node) => isLeaf(node) && verdictOf(node) === "bug");
    toBugs.addEventListener("click", () => unfoldToBugs([0]));
    find("tree-fold").addEventListener("click", () => {
      for (const details of folds.values()) details.open = false;
    });
  }
})();
