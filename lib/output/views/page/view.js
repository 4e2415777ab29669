// The 3-D view: solute, ions and surfaces of the potential, by 3Dmol.js.
"use strict";

(() => {
  const {data, ions, count, by_id, made} = page;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  function say_no_view(why) {
    by_id("no-view").textContent = why;
    by_id("no-view").hidden = false;
    by_id("view-body").hidden = true;
  }
  by_id("view-body").hidden = false;
  let viewer = null;
  try {
    viewer = $3Dmol.createViewer(by_id("viewer"), {antialias: true, minimumZoomToDistance: 14, cartoonQuality: 6});
  } catch (error) {
    viewer = null;
  }
  if (!viewer) return say_no_view("There is no 3-D view, because this browser has no WebGL.");

  const solute = data.solute, large = solute && solute.detail !== "atoms";
  const tones = {n: "#c9a66b", p: "#7f9fc6"};  // nucleic acids and proteins
  const others = {i: "#f28e2b", l: "#b0567e"};  // ions and ligands that were there before
  const pale = {n: "#e6d6ba", p: "#c6d4e8"};   // of a trace, in which ions would not be seen otherwise

  // Those that the view shows in these colours: in a solute in full, residues of one atom.
  const own_kinds = !solute ? "" : solute.detail === "trace" ? solute.other_kinds :
    solute.detail === "atoms" && solute.residues.some(([, , , polymer, atoms]) => !polymer && atoms === 1) ? "i" : "";

  // A solute in full as PDB text, of which 3Dmol.js finds the bonds and the secondary structure.
  function pdb_text() {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const lines = [], [x0, y0, z0] = solute.origin_A;
    let atom = 0;
    for (const [residue, number, chain, polymer, atoms] of solute.residues) {
      for (const end = atom + atoms; atom < end; ++atom) {
        const [name, element] = solute.names[solute.atoms[atom]];
        const xyz = [x0, y0, z0].map((o, i) => (o + solute.xyz[3 * atom + i] / 100).toFixed(3).padStart(8)).join("");
        const shown = (element.length < 2 && name.length < 4 ? " " + name : name).padEnd(4).slice(0, 4);
        lines.push((polymer ? "ATOM  " : "HETATM") + String((atom + 1) % 100000).padStart(5) + " " + shown + " " +
          residue.padStart(3).slice(0, 3) + " " + letters[chain % letters.length] + String(number % 10000).padStart(4) + "    " + xyz +
          "  1.00  0.00          " + element.padStart(2));
      }
    }
    return lines.join("\n") + "\nEND\n";
  }

  function add_points(atom_of) {
    const [x0, y0, z0] = solute.origin_A, atoms = [];
    for (let n = 0; 3 * n < solute.xyz.length; ++n)
      atoms.push(Object.assign({
        x: x0 + solute.xyz[3 * n] / 10, y: y0 + solute.xyz[3 * n + 1] / 10, z: z0 + solute.xyz[3 * n + 2] / 10,
        elem: "C", resn: "UNK", bonds: [], bondOrder: [], hetflag: false, index: n, serial: n, properties: {}}, atom_of(n)));
    const model = viewer.addModel();
    model.addAtoms(atoms);
    return model;
  }

  // Ions and ligands that the structure had, which a trace leaves out.
  function add_others() {
    const [x0, y0, z0] = solute.origin_A, xyz = solute.other_xyz;
    const model = viewer.addModel();
    model.addAtoms([...solute.other_kinds].map((kind, n) => ({
      x: x0 + xyz[3 * n] / 10, y: y0 + xyz[3 * n + 1] / 10, z: z0 + xyz[3 * n + 2] / 10, elem: "C", resn: "UNK", bonds: [], bondOrder: [],
      hetflag: true, index: n, serial: n, properties: {kind}})));
    model.setStyle({}, {sphere: {radius: 1.6, colorfunc: (a) => others[a.properties.kind]}});
  }

  // A trace: each piece is a chain of its own, its points are residues that follow each other.
  function add_trace() {
    const begins = new Set(solute.breaks);
    let piece = 0;
    return add_points((n) => {
      if (begins.has(n)) ++piece;
      return {atom: "CA", chain: "piece " + piece, resi: n, properties: {kind: solute.kinds[n]}};
    });
  }

  const styles = !solute ? {} : solute.detail === "atoms" ? {
    cartoon: (model) => {
      model.setStyle({}, {cartoon: {colorfunc: (a) => /^(D?[ACGTU])$/.test(a.resn) ? tones.n : tones.p}});
      model.setStyle({hetflag: true}, {stick: {radius: 0.15}});
      model.setStyle({predicate: (a) => a.hetflag && !a.bonds.length}, {sphere: {radius: 0.9, color: others.i}});
    },
    sticks: (model) => model.setStyle({}, {stick: {radius: 0.14}}),
    spheres: (model) => model.setStyle({}, {sphere: {}}),
    nothing: (model) => model.setStyle({}, {}),
  } : solute.detail === "trace" ? {
    trace: (model) => model.setStyle({}, {cartoon: {style: "trace", thickness: 0.5, colorfunc: (a) => pale[a.properties.kind]}}),
    spheres: (model) => model.setStyle({}, {sphere: {radius: 2.6, colorfunc: (a) => tones[a.properties.kind]}}),
    nothing: (model) => model.setStyle({}, {}),
  } : {
    points: (model) => model.setStyle({}, {sphere: {radius: 1.2, color: "#9aa5b4"}}),
    nothing: (model) => model.setStyle({}, {}),
  };

  let solute_model = null;
  if (solute) {
    solute_model = solute.detail === "atoms" ? viewer.addModel(pdb_text(), "pdb")
      : solute.detail === "trace" ? add_trace() : add_points(() => ({atom: "X", hetflag: true}));
    if (solute.detail === "trace") add_others();
    // A cartoon needs a polymer; what has none is drawn by its bonds.
    if (solute.detail === "atoms" && !solute.residues.some((residue) => residue[3])) delete styles.cartoon;
    for (const name of Object.keys(styles)) by_id("solute-style").append(made("option", name));
  } else {
    by_id("solute-style").parentNode.hidden = true;
  }
  function style_solute() {
    if (solute_model) styles[by_id("solute-style").value](solute_model);
  }

  const ion_model = viewer.addModel();
  ion_model.addAtoms(ions.name.map((name, n) => {
    const [x, y, z] = page.position(n);
    return {x, y, z, elem: "Na", atom: "ION", resn: "ION", chain: "ions", resi: n + 1, bonds: [], bondOrder: [], hetflag: true,
            index: n, serial: n, properties: {ion: n}};
  }));
  const enlarged = large ? 4 : 1.4;  // to be seen next to the solute
  function style_ions() {
    ion_model.setStyle({}, {sphere: {colorfunc: (a) => page.colour_of(a.properties.ion), scale: 1}});
    for (const radius of new Set(ions.radius_A))
      ion_model.setStyle({predicate: (a) => ions.radius_A[a.properties.ion] === radius},
        {sphere: {radius: enlarged * radius, colorfunc: (a) => page.colour_of(a.properties.ion)}});
  }
  ion_model.setClickable({}, true, (atom) => page.choose(atom.properties.ion, true));

  // Goes to the atoms of a selection. Nothing is cut off, surfaces beyond the atoms neither, but for what is in front
  // of `near_A`.
  function show(selection, milliseconds, near_A) {
    viewer.zoomTo(selection, milliseconds);
    viewer.setSlab(near_A, 10000);
  }
  function choose(n) {
    viewer.removeAllLabels();
    const [x, y, z] = page.position(n);
    viewer.addLabel(`${n + 1} ${ions.name[n]}`, {position: {x, y, z}, inFront: true, fontSize: 13, backgroundOpacity: 0.75,
      screenOffset: {x: 12, y: -12}, useScreen: false});
    show({model: ion_model, index: n}, 600, large ? -12 : -10000);  // inside of a large solute it would be hidden
    viewer.render();
  }

  // Surfaces, of values in 16 bits. 3Dmol.js wants z fastest; the file has x fastest.
  const map = data.map && data.map.int16 ? data.map : null;
  let volume = null;
  function make_volume() {
    const bytes = atob(map.int16), [nx, ny, nz] = map.counts, values = new Float32Array(nx * ny * nz);
    for (let k = 0, at = 0; k < nz; ++k)
      for (let j = 0; j < ny; ++j)
        for (let i = 0; i < nx; ++i, at += 2)
          values[(i * ny + j) * nz + k] = map.step_kT_e * (((bytes.charCodeAt(at) | bytes.charCodeAt(at + 1) << 8) << 16) >> 16);
    const made_volume = new $3Dmol.VolumeData("", "none");
    const [x, y, z] = map.origin_A, [hx, hy, hz] = map.spacing_A;
    Object.assign(made_volume, {origin: {x, y, z}, unit: {x: hx, y: hy, z: hz}, size: {x: nx, y: ny, z: nz}, data: values});
    return made_volume;
  }
  let surfaces = [];
  function draw_surfaces() {
    for (const surface of surfaces) viewer.removeShape(surface);
    surfaces = [];
    if (!map) return;
    volume = volume || make_volume();
    const level = Number(by_id("level").value) * map.scale_kT_e;
    by_id("level-text").textContent = "\u00b1" + Number(level.toPrecision(3)) + " kT/e";
    for (const [id, sign, tone] of [["negative", -1, "#d64545"], ["positive", 1, "#4573d6"]])
      if (by_id(id).checked && volume.data.some((value) => sign * value > level))
        surfaces.push(viewer.addIsosurface(volume, {isoval: sign * level, color: tone, opacity: 0.35, smoothness: 3}));
  }

  function draw_legend() {
    const legend = by_id("legend");
    legend.replaceChildren();
    if (by_id("ion-colour").value === "kind") {
      page.kinds.forEach((kind) => {
        const entry = made("span"), dot = made("i");
        dot.style.background = page.kind_colour(ions.name.indexOf(kind));
        entry.append(dot, kind);
        legend.append(entry);
      });
    } else if (count && Number.isFinite(page.lowest)) {
      const entry = made("span"), bar = made("i", null, "ramp");
      bar.style.background = "linear-gradient(to right, " + [0, 0.25, 0.5, 0.75, 1].map(page.ramp_colour).join(", ") + ")";
      const text = (v) => page.scored ? Math.round(-100 * v) + " %" : v.toFixed(1) + " kT";
      entry.append(text(page.lowest), bar, text(page.highest));
      legend.append(entry);
      if (ions.by_chance) {
        const random = made("span"), dot = made("i");
        dot.style.background = "#9aa0a6";
        random.append(dot, "placed at random");
        legend.append(random);
      }
    }
    for (const [kind, name] of [["i", "ions of the structure"], ["l", "ligands"]]) {
      if (!own_kinds.includes(kind)) continue;
      const entry = made("span"), dot = made("i");
      dot.style.background = others[kind];
      entry.append(dot, name);
      legend.append(entry);
    }
    if (!map) return;
    for (const [name, tone] of [["negative", "#d64545"], ["positive potential of the solute", "#4573d6"]]) {
      const entry = made("span"), dot = made("i");
      dot.style.background = tone;
      entry.append(dot, name);
      legend.append(entry);
    }
  }

  function paint_ground() {
    viewer.setBackgroundColor(dark.matches ? "#14171c" : "#ffffff");
  }

  if (!map) for (const label of document.querySelectorAll(".of-map")) label.hidden = true;
  by_id("level").value = 0.75;
  by_id("view-note").textContent = [
    !solute ? "" : solute.detail === "trace" ? "The solute is drawn as a trace of its P and CA atoms because of its size." :
      solute.detail === "sparse" ? "Only some atoms of the solute are drawn because of its size." : "",
    map ? "" : "No surfaces of the potential: " + (data.map ? data.map.why_not : "") + ".",
    "Drag to rotate, use the wheel to zoom, and click an ion to find it in the table."].filter(Boolean).join(" ");

  if (page.scored) by_id("ion-colour").options[0].textContent = "chance";
  const redraw = (...steps) => () => { for (const step of steps) step(); viewer.render(); };
  by_id("solute-style").addEventListener("change", redraw(style_solute));
  by_id("ion-colour").addEventListener("change", redraw(() =>
    page.set_colour(by_id("ion-colour").value === "kind" ? page.kind_colour : page.energy_colour), style_ions, draw_legend));
  for (const id of ["negative", "positive", "level"]) by_id(id).addEventListener("change", redraw(draw_surfaces));
  by_id("reset").addEventListener("click", () => {
    viewer.removeAllLabels();
    show({predicate: () => true}, 600, -10000);
    viewer.render();
  });
  dark.addEventListener("change", redraw(paint_ground));
  window.addEventListener("resize", () => viewer.resize());
  window.addEventListener("beforeprint", () => { by_id("printed-view").src = viewer.pngURI(); });

  paint_ground();
  style_solute();
  style_ions();
  draw_surfaces();
  draw_legend();
  show({predicate: () => true}, 0, -10000);
  viewer.render();
  page.on_choice(choose);
  page.viewer = viewer;
})();
