// Audit a page: returns sentences on what is wrong with names, structure and contrast.
() => {
  const problems = [];
  const report = (what, element) =>
    problems.push(`${what}: ${element.outerHTML.slice(0, 120).replace(/\s+/g, " ")}`);
  const every = (selector) => [...document.querySelectorAll(selector)];
  const isShown = (element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    element.getClientRects().length > 0;
  const textOf = (id) => document.getElementById(id)?.textContent.trim() ?? "";

  function nameOf(element) {
    const by = element.getAttribute("aria-labelledby");
    const label = element.getAttribute("aria-label") ?? "";
    const own = [...(element.labels ?? [])].map((one) => one.textContent).join(" ");
    const named = by ? by.split(/\s+/).map(textOf).join(" ") : "";
    return [named, label, own, element.title, element.alt].find((one) => one?.trim()) ?? "";
  }

  // Structure.
  if (!document.documentElement.lang) problems.push("the page has no language");
  if (!document.title.trim()) problems.push("the page has no title");
  if (every("h1").length !== 1) problems.push(`${every("h1").length} headings of level 1`);
  if (every("main").length !== 1) problems.push("not exactly one main landmark");
  let level = 0;
  for (const heading of every("h1, h2, h3, h4").filter((one) => one.checkVisibility())) {
    const own = Number(heading.tagName[1]);
    if (level && own > level + 1) report("a level of headings is skipped", heading);
    level = own;
  }
  const ids = every("[id]").map((one) => one.id);
  for (const id of ids.filter((one, k) => ids.indexOf(one) !== k)) {
    problems.push(`the id ${id} is not unique`);
  }
  for (const name of ["aria-labelledby", "aria-describedby", "for"]) {
    for (const element of every(`[${name}]`)) {
      for (const id of element.getAttribute(name).split(/\s+/)) {
        if (!document.getElementById(id)) report(`${name} refers to nothing`, element);
      }
    }
  }
  for (const element of every("[tabindex]")) {
    if (Number(element.getAttribute("tabindex")) > 0) report("tabindex above 0", element);
  }
  for (const element of every("[style]")) report("a style attribute", element);

  // Names.
  for (const element of every("input:not([type=hidden]), select, textarea, meter, progress")) {
    if (isShown(element) && !nameOf(element)) report("a field without a name", element);
  }
  for (const element of every("a[href], button, summary")) {
    const named = nameOf(element) || element.textContent.trim();
    if (isShown(element) && !named) report("a control without a name", element);
  }
  for (const element of every("img, svg, [role=img], [role=region], nav")) {
    if (isShown(element) && !nameOf(element) && !element.closest("[aria-hidden=true]")) {
      report("a picture or region without a name", element);
    }
  }
  for (const element of every("th")) {
    if (!element.scope) report("a table header without scope", element);
    if (!element.textContent.trim()) report("an empty table header", element);
  }
  for (const element of every("main *").filter((one) => one.scrollWidth > one.clientWidth + 1)) {
    const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowX);
    const inside = element.querySelector("a[href], button, input, select, [tabindex]");
    if (scrolls && isShown(element) && element.tabIndex < 0 && !inside) {
      report("a region that only a pointer can scroll", element);
    }
  }

  // Contrast of text, by the formula of WCAG.
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  function parse(color) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  }
  const blend = (over, under) =>
    [0, 1, 2].map((k) => over[k] * over[3] + under[k] * (1 - over[3])).concat(1);
  function backgroundOf(element) {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      layers.push(parse(getComputedStyle(one).backgroundColor));
    }
    return layers.reverse().reduce((under, over) => blend(over, under), [255, 255, 255, 1]);
  }
  const luminance = (color) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, k) => {
      const share = color[k] / 255;
      return sum + weight * (share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
    }, 0);
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || seen.has(element) || !isShown(element)) continue;
    seen.add(element);
    if (element.closest(".visually-hidden, .skip, :disabled, [aria-disabled=true]")) continue;
    const look = getComputedStyle(element);
    const isSvg = element instanceof SVGElement;
    if (isSvg && element.classList.contains("count")) continue; // on a colored cell
    const under = backgroundOf(isSvg ? element.ownerSVGElement : element);
    const over = blend(parse(isSvg ? look.fill : look.color), under);
    const [low, high] = [luminance(over), luminance(under)].sort((a, b) => a - b);
    const ratio = (high + 0.05) / (low + 0.05);
    const size = parseFloat(look.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(look.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) report(`contrast of ${ratio.toFixed(2)}`, element);
  }
  return problems;
};
