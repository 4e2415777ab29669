// Fills the page from its data: facts, table, charts. What is text is set as text, never as HTML.
"use strict";

const page = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const ions = data.ions, count = ions.name.length;
  const by_id = (id) => document.getElementById(id);

  function made(name, text, kind) {
    const element = document.createElement(name);
    if (text !== undefined && text !== null) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  }

  // Colours. Energies go along viridis, the strongest bound first.
  const ramp = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
  const scored = Boolean(ions.probability);
  const by_value = scored ? ions.probability.map((p) => p === null ? null : -p) : ions.energy_kT;
  const known = by_value.filter((v, n) => v !== null && !(ions.by_chance && ions.by_chance[n]));
  const lowest = known.reduce((a, b) => Math.min(a, b), Infinity), highest = known.reduce((a, b) => Math.max(a, b), -Infinity);
  const hex = (rgb) => "#" + rgb.map((v) => Math.round(v).toString(16).padStart(2, "0")).join("");
  function ramp_colour(part) {
    const at = Math.min(Math.max(part, 0), 1) * (ramp.length - 1), n = Math.min(Math.floor(at), ramp.length - 2);
    return hex(ramp[n].map((v, i) => v + (at - n) * (ramp[n + 1][i] - v)));
  }
  function energy_colour(n) {
    if (by_value[n] === null || (ions.by_chance && ions.by_chance[n])) return "#9aa0a6";
    return ramp_colour(highest > lowest ? (by_value[n] - lowest) / (highest - lowest) : 0);
  }
  const kinds = [...new Set(ions.name)];
  const kind_colours = ["#2e8b57", "#8a63d2", "#e0872f", "#2f86c1", "#c14b6c", "#8c7a2f", "#5f6f7f"];
  const kind_colour = (n) => kind_colours[kinds.indexOf(ions.name[n]) % kind_colours.length];
  let colour = energy_colour;

  const charge_text = (charge) => (charge > 0 ? "+" : "") + charge;
  const position = (n) => ions.position_A.slice(3 * n, 3 * n + 3);
  const fixed = (digits) => (value) => value === null ? "-" : value.toFixed(digits);

  // The columns of the table: heading, value of an ion (what it is sorted by) and its text.
  const columns = [
    {heading: "#", value: (n) => n + 1, text: String, number: true},
    {heading: "Ion", value: (n) => ions.name[n], text: String},
    scored ? {heading: "Near a site", value: (n) => ions.probability[n], number: true,
              text: (v) => v === null ? "-" : Math.round(100 * v) + " %"}
           : {heading: "Energy [kT]", value: (n) => ions.energy_kT[n], text: fixed(2), number: true},
    {heading: "To solute [\u00c5]", value: (n) => ions.nearest_solute_A[n], text: fixed(3), number: true},
    {heading: "Nearest atom", value: (n) => ions.nearest_atom[n], text: String},
    {heading: "To ion [\u00c5]", value: (n) => ions.nearest_ion_A[n], text: fixed(3), number: true},
    ...["x", "y", "z"].map((axis, i) =>
      ({heading: axis + " [\u00c5]", value: (n) => ions.position_A[3 * n + i], text: fixed(3), number: true}))];

  const rows = [];
  let go_to = () => {};

  function choose(n, scroll) {
    for (const row of rows) {
      row.classList.toggle("chosen", row === rows[n]);
      row.setAttribute("aria-selected", row === rows[n]);
    }
    if (scroll) rows[n].scrollIntoView({block: "nearest"});
    go_to(n);
  }

  function paint_swatches() {
    rows.forEach((row, n) => { row.querySelector(".swatch").style.background = colour(n); });
  }

  function sort_by(column, header) {
    const down = header.getAttribute("aria-sort") === "ascending";
    for (const other of header.parentNode.children) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
    const order = rows.map((row, n) => n), sign = down ? -1 : 1;
    order.sort((a, b) => {
      const x = column.value(a), y = column.value(b);
      if (x === null || y === null) return (x === null) - (y === null) || a - b;  // the unknown last
      return sign * (column.number ? x - y : x.localeCompare(y, "en", {numeric: true})) || a - b;
    });
    by_id("ion-table").tBodies[0].append(...order.map((n) => rows[n]));
  }

  function fill_table() {
    const head = document.createElement("tr");
    for (const column of columns) {
      const header = made("th", null, column.number ? "number" : ""), button = made("button", column.heading);
      header.scope = "col";
      button.type = "button";
      button.addEventListener("click", () => sort_by(column, header));
      header.append(button);
      head.append(header);
    }
    head.firstElementChild.setAttribute("aria-sort", "ascending");
    by_id("ion-table").tHead.append(head);
    for (let n = 0; n < count; ++n) {
      const row = document.createElement("tr");
      row.tabIndex = 0;
      row.dataset.ion = n;
      for (const column of columns) row.append(made("td", column.text(column.value(n)), column.number ? "number" : "word"));
      row.children[1].prepend(made("span", null, "swatch"));
      row.children[1].append(" " + charge_text(ions.charge_e[n]));
      row.addEventListener("click", () => choose(n));
      row.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose(n);
      });
      rows.push(row);
    }
    by_id("ion-table").tBodies[0].append(...rows);
    paint_swatches();
  }

  function draw_charts() {
    const what = scored ? "probability of being near a site" : "energy [kT]";
    const finite = ions.energy_kT.map((e, n) => n).filter((n) => (scored ? ions.probability : ions.energy_kT)[n] !== null);
    const radial = data.radial;
    const drawn = [
      charts.points(scored ? "Probability by order of placement" : "Energy by order of placement", "ion", what,
        finite.map((n) => [n + 1, scored ? ions.probability[n] : ions.energy_kT[n]]), (at) => energy_colour(finite[at]),
        (at) => `${finite[at] + 1} ${ions.name[finite[at]]}`, (at) => choose(finite[at], true)),
      charts.histogram("Energies", "energy [kT]", ions.energy_kT, 16),
      charts.histogram("Distance to the solute", "distance [\u00c5]", ions.nearest_solute_A, 20),
      charts.histogram("Distance to the nearest ion", "distance [\u00c5]", ions.nearest_ion_A, 20),
      radial && charts.bars("Radial distribution around the solute", "distance to the nearest atom [\u00c5]",
        "density / mean within 10 \u00c5", 0, radial.step_A, radial.g)];
    by_id("charts").querySelector(".charts").append(...drawn.filter(Boolean));
    if (!count) by_id("charts").hidden = true;
  }

  function fill_run() {
    const name = data.structure.split("/").pop();
    by_id("title").textContent = "Ions around " + name;
    const composition = kinds.map((kind) => `${ions.name.filter((other) => other === kind).length} ${kind}`).join(", ");
    by_id("subtitle").textContent = (composition || "no ions") +
      (data.requested > count ? ` of ${data.requested} requested` : "") + "; placed by ionwell " + data.version;
    for (const [label, value] of data.facts) {
      const row = document.createElement("tr"), header = made("th", label);
      header.scope = "row";
      row.append(header, made("td", value));
      by_id("facts").tBodies[0].append(row);
    }
    for (const [stage, seconds] of data.timings_s) {
      const row = document.createElement("tr"), header = made("th", stage);
      header.scope = "row";
      row.append(header, made("td", seconds.toFixed(3) + " s", "number"));
      by_id("times").tBodies[0].append(row);
    }
    for (const decision of data.chemistry) {
      const row = document.createElement("tr");
      row.append(...decision.map((text) => made("td", text)));
      by_id("decisions").tBodies[0].append(row);
    }
    by_id("chemistry").hidden = !data.chemistry.length;
    by_id("command").textContent = data.command;
    for (const kind of ["warnings", "notes"]) {
      by_id(kind).querySelector("ul").append(...data[kind].map((text) => made("li", text)));
      by_id(kind).hidden = !data[kind].length;
    }
    by_id("footer").textContent = "Made by ionwell " + data.version + ". " +
      "The view is by 3Dmol.js (Rego and Koes, Bioinformatics 31:1322, 2015), whose licence is in this file.";
  }

  fill_run();
  fill_table();
  draw_charts();
  return {
    data, ions, count, by_id, made, kinds, position, choose, energy_colour, kind_colour, ramp_colour, lowest, highest, scored,
    set_colour(by) { colour = by; paint_swatches(); },
    colour_of: (n) => colour(n),
    on_choice(action) { go_to = action; },
  };
})();
