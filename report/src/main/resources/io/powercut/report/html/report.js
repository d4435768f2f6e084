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

    find("tree-controls").hidden = false;
    const toBugs = find("tree-unfold");
    toBugs.disabled = !nodes.some((node) => isLeaf(node) && verdictOf(node) === "bug");
    toBugs.addEventListener("click", () => unfoldToBugs([0]));
    find("tree-fold").addEventListener("click", () => {
      for (const details of folds.values()) details.open = false;
    });
  }
})();
