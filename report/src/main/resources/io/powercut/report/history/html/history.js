"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const open = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    for (let one = target; one; one = one.parentElement) {
      if (one.tagName === "DETAILS") one.open = true;
    }
  };
  addEventListener("hashchange", open);
  open();

  // What does not match is hidden, so that without this script everything is there.
  const filter = find("filter");
  const campaigns = Array.from(document.querySelectorAll(".campaign"));
  const news = Array.from(document.querySelectorAll(".news li"));
  const sections = Array.from(document.querySelectorAll("section.news, section.group-of-campaigns"));
  const words = new Map();
  const textOf = (element) => {
    if (!words.has(element)) words.set(element, element.textContent.toLowerCase());
    return words.get(element);
  };
  const apply = () => {
    const wanted = find("filter-text").value.toLowerCase().split(/\s+/);
    const kind = find("filter-kind").value;
    const matches = (element) => wanted.every((word) => word === "" || textOf(element).includes(word));
    let shown = 0;
    for (const campaign of campaigns) {
      campaign.hidden = !matches(campaign) || (kind !== "" && campaign.dataset.kind !== kind);
      shown += campaign.hidden ? 0 : 1;
    }
    for (const one of news) one.hidden = !matches(one);
    for (const section of sections) {
      section.hidden = section.querySelector(".campaign:not([hidden]), li:not([hidden])") === null;
    }
    find("filter-count").textContent = `${shown} of ${campaigns.length}`;
  };
  filter.hidden = campaigns.length < 2;
  filter.addEventListener("input", apply);
  filter.addEventListener("change", apply);
  filter.addEventListener("submit", (event) => event.preventDefault());
  apply();
})();
