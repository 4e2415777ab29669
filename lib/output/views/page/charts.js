// Small charts as SVG: axes with round numbers, points, bars and a line.
"use strict";

const charts = (() => {
  const svg_space = "http://www.w3.org/2000/svg";
  const size = {width: 380, height: 230, left: 68, right: 24, top: 10, bottom: 40};

  function element(name, attributes, text) {
    const made = document.createElementNS(svg_space, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // Round numbers from below the lowest to above the highest, about `count` of them; whole ones for what is counted.
  function ticks(lowest, highest, count, whole) {
    const extent = highest - lowest || Math.abs(highest) || 1;
    const power = Math.pow(10, Math.floor(Math.log10(extent / count)));
    const round = [1, 2, 5, 10].map((n) => n * power).find((s) => extent / s <= count) || 10 * power;
    const step = whole ? Math.max(round, 1) : round;
    const found = [];
    for (let n = Math.floor(lowest / step + 1e-9); ; ++n) {
      found.push(n * step);
      if (n * step >= highest - 1e-9 * step && found.length > 1) return found;
    }
  }

  function number_text(value) {
    return Number(value.toPrecision(6)).toLocaleString("en-US");
  }

  // Axes for x and y in these ranges; gives functions that put values on the sheet, and the sheet.
  function axes(title, x, y) {
    const x_ticks = ticks(x.lowest, x.highest, 6), y_ticks = ticks(y.lowest, y.highest, 5, y.whole);
    const range = (marks) => [marks[0], marks[marks.length - 1]];
    const [x0, x1] = range(x_ticks), [y0, y1] = range(y_ticks);
    const right = size.width - size.right, bottom = size.height - size.bottom;
    const to_x = (value) => size.left + (right - size.left) * (value - x0) / (x1 - x0);
    const to_y = (value) => bottom - (bottom - size.top) * (value - y0) / (y1 - y0);
    const sheet = element("svg", {viewBox: `0 0 ${size.width} ${size.height}`, role: "img", "aria-label": title});
    for (const mark of y_ticks) {
      sheet.append(element("line", {class: "grid", x1: size.left, x2: right, y1: to_y(mark), y2: to_y(mark)}),
        element("text", {x: size.left - 6, y: to_y(mark) + 4, "text-anchor": "end"}, number_text(mark)));
    }
    for (const mark of x_ticks) {
      sheet.append(element("text", {x: to_x(mark), y: bottom + 15, "text-anchor": "middle"}, number_text(mark)));
    }
    sheet.append(element("line", {class: "axis", x1: size.left, x2: right, y1: bottom, y2: bottom}),
      element("text", {x: (size.left + right) / 2, y: size.height - 6, "text-anchor": "middle"}, x.label),
      element("text", {transform: `translate(12 ${(size.top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle"}, y.label));
    return {sheet, to_x, to_y, bottom};
  }

  function figure(title, sheet) {
    const made = document.createElement("figure");
    const caption = document.createElement("figcaption");
    caption.textContent = title;
    made.append(caption, sheet);
    return made;
  }

  const extent = (values) => values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);

  // A point for each pair; colour(n), text(n) and click(n) are of point n.
  function points(title, x_label, y_label, pairs, colour, text, click) {
    if (!pairs.length) return null;
    const [x0, x1] = extent(pairs.map((p) => p[0])), [y0, y1] = extent(pairs.map((p) => p[1]));
    const plot = axes(title, {label: x_label, lowest: x0, highest: x1}, {label: y_label, lowest: y0, highest: y1});
    const radius = pairs.length > 300 ? 1.8 : 3.2;
    pairs.forEach((pair, n) => {
      const dot = element("circle", {cx: plot.to_x(pair[0]).toFixed(1), cy: plot.to_y(pair[1]).toFixed(1), r: radius, fill: colour(n)});
      dot.append(element("title", {}, text(n)));
      dot.addEventListener("click", () => click(n));
      plot.sheet.append(dot);
    });
    return figure(title, plot.sheet);
  }

  // Bars of equal width that begin at `first`.
  function bars(title, x_label, y_label, first, step, heights) {
    const highest = Math.max(...heights, 0);
    if (!highest) return null;
    const plot = axes(title, {label: x_label, lowest: first, highest: first + step * heights.length},
      {label: y_label, lowest: 0, highest, whole: y_label === "ions"});
    heights.forEach((height, n) => {
      if (!height) return;
      const from = plot.to_x(first + n * step), to = plot.to_x(first + (n + 1) * step), top = plot.to_y(height);
      const bar = element("rect", {class: "bar", x: (from + 0.5).toFixed(1), width: Math.max(to - from - 1, 0.5).toFixed(1),
        y: top.toFixed(1), height: (plot.bottom - top).toFixed(1)});
      bar.append(element("title", {}, `${number_text(first + n * step)} to ${number_text(first + (n + 1) * step)}: ${number_text(height)}`));
      plot.sheet.append(bar);
    });
    return figure(title, plot.sheet);
  }

  // How many of `values` are in each of about `count` bins of a round width.
  function histogram(title, x_label, values, count) {
    const finite = values.filter((v) => v !== null);
    if (finite.length < 10) return null;  // the table says it better
    const [lowest, highest] = extent(finite);
    const marks = ticks(lowest, highest === lowest ? lowest + 1 : highest, count);
    const step = marks[1] - marks[0], heights = new Array(marks.length - 1).fill(0);
    for (const v of finite) ++heights[Math.min(Math.floor((v - marks[0]) / step + 1e-9), heights.length - 1)];
    return bars(title, x_label, "ions", marks[0], step, heights);
  }

  return {points, bars, histogram};
})();
