/* page.js - the live part of a report: plots over time, drifts, portraits, and the moving picture of a mechanism. The data
 * stand in the page as JSON, one element for each result. */
"use strict";
(() => {
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  const paint = i => colour("c" + (i % 8));
  const shown = x => x == null ? "–" : Math.abs(x) >= 1e5 || (x !== 0 && Math.abs(x) < 1e-3) ? x.toExponential(4) : String(+x.toPrecision(7));
  const title = c => c.unit ? `${c.name} [${c.unit}]` : c.name;
  const redraws = []; // when the colours or the width of the page change

  function element(kind, properties = {}, ...children) {
    const e = document.createElement(kind);
    for (const [key, value] of Object.entries(properties))
      if (key in e && key !== "list") e[key] = value; else e.setAttribute(key, value);
    e.append(...children);
    return e;
  }

  function figure(parent, caption) {
    const f = element("figure", {}, element("figcaption", {}, caption));
    parent.append(f);
    return f;
  }

  function button(text, label, act) {
    const b = element("button", { type: "button" }, text);
    b.setAttribute("aria-label", label), b.title = label;
    b.addEventListener("click", act);
    return b;
  }

  function select(label, options, chosen, act) {
    const s = element("select", {}, ...options.map((o, i) => element("option", { value: i, selected: i === chosen }, o)));
    s.addEventListener("change", () => act(+s.value));
    return [element("label", {}, label + " ", s), s];
  }

  /* Zoom and pan of one or both axes of a uPlot, by buttons and keys. */
  function zoomer(plot, axes) {
    const change = (shift, factor) => {
      for (const axis of axes) {
        const { min, max } = plot().scales[axis], middle = (min + max) / 2, half = (max - min) / 2;
        const move = shift[axis] || 0;
        plot().setScale(axis, { min: middle + (2 * move - factor) * half, max: middle + (2 * move + factor) * half });
      }
    };
    const flat = !axes.includes("y");
    return {
      in: () => change({}, 0.5), out: () => change({}, 2), left: () => change({ x: -0.2 }, 1), right: () => change({ x: 0.2 }, 1),
      up: flat ? null : () => change({ y: 0.2 }, 1), down: flat ? null : () => change({ y: -0.2 }, 1),
      keys: `Keys: plus and minus zoom, ${flat ? "left and right" : "arrows"} move, 0 shows all.`,
    };
  }

  function controls(f, zoom, reset) {
    return element("div", { className: "bar", role: "group", ariaLabel: "zoom" },
      button("+", "zoom in", zoom.in), button("−", "zoom out", zoom.out), button("◀", "to the left", zoom.left),
      button("▶", "to the right", zoom.right), button("Reset", "show all", reset));
  }

  function keys(box, zoom, reset) {
    const acts = { "+": zoom.in, "=": zoom.in, "-": zoom.out, ArrowLeft: zoom.left, ArrowRight: zoom.right, ArrowUp: zoom.up, ArrowDown: zoom.down, 0: reset, Home: reset };
    box.tabIndex = 0;
    box.addEventListener("keydown", e => {
      if (!acts[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
      acts[e.key](), e.preventDefault();
    });
  }

  /* The wheel zooms about the cursor; dragging with the middle button or with Shift moves the plot. */
  function wheel(u, axes) {
    const over = u.over;
    over.addEventListener("wheel", e => {
      if (!e.ctrlKey && !e.shiftKey && document.activeElement !== u.root.parentNode) return; // the page scrolls
      e.preventDefault();
      const box = over.getBoundingClientRect(), factor = e.deltaY < 0 ? 0.8 : 1.25;
      for (const axis of axes) {
        const { min, max } = u.scales[axis];
        const at = u.posToVal(axis === "x" ? e.clientX - box.left : e.clientY - box.top, axis);
        u.setScale(axis, { min: at - (at - min) * factor, max: at + (max - at) * factor });
      }
    }, { passive: false });
    over.addEventListener("mousedown", e => {
      if (e.button !== 1 && !e.shiftKey) return;
      e.preventDefault(), e.stopImmediatePropagation();
      const from = axes.map(a => ({ a, ...u.scales[a] })), x0 = e.clientX, y0 = e.clientY;
      const move = m => {
        for (const s of from) {
          const d = s.a === "x" ? -(m.clientX - x0) / over.clientWidth : (m.clientY - y0) / over.clientHeight;
          u.setScale(s.a, { min: s.min + d * (s.max - s.min), max: s.max + d * (s.max - s.min) });
        }
      };
      const end = () => (removeEventListener("mousemove", move), removeEventListener("mouseup", end));
      addEventListener("mousemove", move), addEventListener("mouseup", end);
    }, true);
  }

  /* Where the animation is: a line in a plot over time, a dot in a portrait. `place` sets its position. */
  function marker(data, u, kind, place) {
    if (!data.frames) return;
    const mark = element("div", { className: kind });
    u.over.append(mark);
    const move = () => place(mark, data.now ?? data.frame_times[0]);
    data.marks.set(u.root.parentNode, move), u.hooks.draw = [...(u.hooks.draw || []), move]; // behind the layout, which scales may change
    move();
  }
  /* Column i at the time t, in proportion between two rows. */
  function at(data, i, t) {
    const ts = data.values[0], last = ts.length - 1, up = ts[last] >= ts[0];
    let low = 0, high = last;
    while (high - low > 1) { const m = (low + high) >> 1; if ((ts[m] <= t) === up) low = m; else high = m; }
    const a = data.values[i][low], b = data.values[i][high], s = ts[high] === ts[low] ? 0 : (t - ts[low]) / (ts[high] - ts[low]);
    return a == null || b == null ? null : a + Math.max(0, Math.min(1, s)) * (b - a);
  }
  function put(mark, u, x, y) {
    const inside = x >= u.scales.x.min && x <= u.scales.x.max && (y === undefined || (y >= u.scales.y.min && y <= u.scales.y.max));
    mark.hidden = !inside, mark.style.left = u.valToPos(x, "x") + "px";
    if (y !== undefined) mark.style.top = u.valToPos(y, "y") + "px";
  }

  const axis = label => ({
    label, labelSize: label ? 22 : 0, labelGap: 0, stroke: colour("soft"), grid: { stroke: colour("grid"), width: 1 },
    size: 34, ticks: { stroke: colour("grid"), width: 1 }, font: "12px system-ui", labelFont: "13px system-ui",
  });
  const sideAxis = label => ({
    ...axis(label), size: (u, labels) => 22 + 7 * Math.max(3, ...(labels || []).map(l => l.length)),
    values: (u, ticks) => ticks.map(v => v === 0 ? "0" : Math.abs(v) < 1e-3 || Math.abs(v) >= 1e5 ? v.toExponential(1) : String(+v.toPrecision(6))),
  });

  /* A little room above and below; a constant stands in the middle. */
  const room = (u, min, max) => {
    if (min == null) return [-1, 1];
    const more = max > min ? 0.06 * (max - min) : 0.1 * Math.abs(max) || 1;
    return [min - more, max + more];
  };

  /* Columns over time: their values, or what they differ from the first. `chosen` are those shown at first. */
  function overTime(parent, data, caption, offered, chosen, numbers, sync) {
    const f = figure(parent, caption), on = new Set(chosen);
    let u = null;
    const zoom = zoomer(() => u, ["x"]), reset = () => u.setScale("x", { min: x[0], max: x[x.length - 1] });
    const x = data.values[0][0] <= data.values[0][data.values[0].length - 1] ? data.values[0] : data.values[0].slice().reverse();
    const turned = x !== data.values[0];
    const column = i => turned ? numbers[i].slice().reverse() : numbers[i];
    const chips = element("div", { className: "chips", role: "group", ariaLabel: "variables" });
    offered.forEach((c, k) => {
      const box = element("input", { type: "checkbox", checked: on.has(c) });
      const label = element("label", {}, box, title(data.columns[c]));
      label.style.setProperty("--mark", `var(--c${k % 8})`);
      box.addEventListener("change", () => (box.checked ? on.add(c) : on.delete(c), draw()));
      chips.append(label);
    });
    const box = element("div", { className: "plot", role: "img" }), values = element("div", { className: "values" });
    f.append(chips, controls(f, zoom, reset), box, values);
    keys(box, zoom, reset);
    const tell = v => {
      const i = v.cursor.idx;
      values.replaceChildren();
      if (i == null) return;
      values.append(`${data.columns[0].name} = `, element("b", {}, shown(x[i])));
      v.series.slice(1).forEach((s, k) => {
        const mark = element("i");
        mark.style.background = s._stroke || s.stroke();
        values.append(mark, s.label + " = ", element("b", {}, shown(v.data[k + 1][i])));
      });
      const away = e => Math.abs(v.valToPos(e[0], "x") - v.cursor.left), near = data.events.filter(e => away(e) < 5).sort((a, b) => away(a) - away(b))[0];
      if (near) values.append(element("i", { className: "event" }), near[1] + ", t = ", element("b", {}, shown(near[0])), near[2] > 1 ? `and ${near[2] - 1} more` : "");
    };
    const events = v => { // ticks that stand on the axis
      const { left, top, width, height } = v.bbox, c = v.ctx;
      c.save(), c.beginPath(), c.lineWidth = 2 * devicePixelRatio, c.strokeStyle = colour("red");
      for (const [t] of data.events) {
        const px = v.valToPos(t, "x", true);
        if (px >= left && px <= left + width) c.moveTo(px, top + height), c.lineTo(px, top + height - 10 * devicePixelRatio);
      }
      c.stroke(), c.restore();
    };
    function draw() {
      const cols = offered.filter(c => on.has(c)), scale = u && { min: u.scales.x.min, max: u.scales.x.max };
      if (u) u.destroy();
      box.setAttribute("aria-label", `${caption}: ${cols.map(c => data.columns[c].name).join(", ")}. ${zoom.keys}`);
      const units = [...new Set(cols.map(c => data.columns[c].unit))], scaleOf = unit => units.indexOf(unit) > 0 ? "y" + units.indexOf(unit) : "y";
      const name = unit => cols.length === 1 ? title(data.columns[cols[0]]) : units.length > 1 && unit ? `[${unit}]` : "";
      const sides = (units.length ? units : [""]).map((unit, k) => ({ ...sideAxis(name(unit)), scale: scaleOf(unit), ...(k ? { side: 1, grid: { show: false } } : {}) }));
      u = new uPlot({ // one axis for each unit
        width: box.clientWidth, height: Math.max(220, Math.min(360, box.clientWidth * 0.5)), legend: { show: false },
        scales: { x: { time: false }, y: { range: room }, ...Object.fromEntries(units.slice(1).map(unit => [scaleOf(unit), { range: room }])) },
        axes: [axis(title(data.columns[0])), ...sides],
        cursor: { drag: { x: true, y: false }, sync: sync ? { key: sync } : undefined },
        series: [{}, ...cols.map(c => ({ label: data.columns[c].name, scale: scaleOf(data.columns[c].unit), stroke: paint(offered.indexOf(c)), width: 1.6, pxAlign: 0, points: { show: x.length < 40 } }))],
        hooks: { setCursor: [tell], draw: [events] },
      }, [x, ...cols.map(column)], box);
      wheel(u, ["x"]);
      const drawn = u;
      marker(data, u, "now", (mark, t) => put(mark, drawn, t));
      if (scale && scale.min != null) u.setScale("x", scale);
      f.plot = u;
    }
    draw();
    redraws.push(draw);
  }

  /* One column over another. */
  function portrait(parent, data, chosen) {
    const f = figure(parent, "Portrait"), pick = { x: chosen[0], y: chosen[1] };
    let u = null;
    const names = data.columns.map(title);
    const span = i => {
      let min = Infinity, max = -Infinity;
      for (const v of data.values[i]) if (v != null) min = Math.min(min, v), max = Math.max(max, v);
      if (!(min <= max)) return { min: -1, max: 1 };
      const more = (max - min) * 0.05 || Math.abs(max) * 0.1 || 1;
      return { min: min - more, max: max + more };
    };
    const reset = () => {
      const x = span(pick.x), y = span(pick.y);
      if (same()) { // one unit is as long on both axes
        const w = u.over.clientWidth || box.clientWidth - 70, h = u.over.clientHeight || 0.75 * w, unit = Math.max((x.max - x.min) / w, (y.max - y.min) / h);
        const grow = (s, n) => { const m = (s.min + s.max) / 2; s.min = m - unit * n / 2, s.max = m + unit * n / 2; };
        grow(x, w), grow(y, h);
      }
      u.batch(() => (u.setScale("x", x), u.setScale("y", y)));
    };
    const coordinate = i => data.columns.some(c => c.name === `p(${data.columns[i].name})`);
    const same = () => coordinate(pick.x) && coordinate(pick.y) && data.columns[pick.x].unit === data.columns[pick.y].unit;
    const zoom = zoomer(() => u, ["x", "y"]);
    const box = element("div", { className: "plot", role: "img" }), values = element("div", { className: "values" });
    const [left] = select("across", names, pick.x, i => (pick.x = i, draw())), [up] = select("up", names, pick.y, i => (pick.y = i, draw()));
    const thinned = data.values[0].length < data.rows; // a line between rows that were no neighbours would be none of the motion
    const lines = element("input", { type: "checkbox", checked: !thinned });
    lines.addEventListener("change", () => u.redraw());
    f.append(element("div", { className: "bar" }, left, up, element("label", {}, lines, "lines")), controls(f, zoom, reset), box, values);
    keys(box, zoom, reset);
    const dots = (v, ctx, xs, ys) => {
      const size = 1.8 * devicePixelRatio;
      ctx.fillStyle = paint(0);
      for (let i = 0; i < xs.length; i++)
        if (xs[i] != null && ys[i] != null)
          ctx.fillRect(v.valToPos(xs[i], "x", true) - size / 2, v.valToPos(ys[i], "y", true) - size / 2, size, size);
    };
    const line = v => {
      const ctx = v.ctx, xs = v.data[1][0], ys = v.data[1][1], { left, top, width, height } = v.bbox;
      ctx.save(), ctx.beginPath(), ctx.rect(left, top, width, height), ctx.clip();
      if (!lines.checked) { dots(v, ctx, xs, ys), ctx.restore(); return; }
      ctx.beginPath();
      let pen = false;
      for (let i = 0; i < xs.length; i++) {
        if (xs[i] == null || ys[i] == null) { pen = false; continue; }
        const px = v.valToPos(xs[i], "x", true), py = v.valToPos(ys[i], "y", true);
        if (pen) ctx.lineTo(px, py); else ctx.moveTo(px, py);
        pen = true;
      }
      ctx.lineWidth = 1.4 * devicePixelRatio, ctx.strokeStyle = paint(0), ctx.lineJoin = "round", ctx.stroke(), ctx.restore();
    };
    const tell = v => {
      const { left, top } = v.cursor;
      values.replaceChildren();
      if (!(left >= 0)) return;
      values.append(data.columns[pick.x].name + " = ", element("b", {}, shown(v.posToVal(left, "x"))),
        data.columns[pick.y].name + " = ", element("b", {}, shown(v.posToVal(top, "y"))));
    };
    function draw() {
      if (u) u.destroy();
      box.setAttribute("aria-label", `${names[pick.y]} over ${names[pick.x]}. ${zoom.keys}`);
      u = new uPlot({
        mode: 2, width: box.clientWidth, height: Math.max(260, Math.min(460, box.clientWidth * 0.75)), legend: { show: false },
        scales: { x: { time: false, auto: false, range: (v, a, b) => [a, b] }, y: { auto: false, range: (v, a, b) => [a, b] } },
        axes: [axis(names[pick.x]), sideAxis(names[pick.y])], cursor: { drag: { x: true, y: true, uni: 20 } },
        series: [null, { label: "portrait", stroke: paint(0), facets: [{ scale: "x", auto: false }, { scale: "y", auto: false }], paths: () => null, points: { show: false } }],
        hooks: { setCursor: [tell], draw: [line] },
      }, [null, [data.values[pick.x], data.values[pick.y]]], box);
      wheel(u, ["x", "y"]);
      const drawn = u;
      marker(data, u, "dot", (mark, t) => {
        const [x, y] = [pick.x, pick.y].map(i => at(data, i, t));
        if (x == null || y == null) mark.hidden = true; else put(mark, drawn, x, y);
      });
      reset();
      requestAnimationFrame(reset); // the numbers at the side have decided how wide the frame is
      f.plot = u;
    }
    draw();
    redraws.push(draw);
  }

  /* The mechanism. ----------------------------------------------------------------------------- */

  /* The plane that holds all figures of all frames. */
  function extent(data) {
    const box = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
    const take = (x, y, r) => {
      if (x == null || y == null) return;
      box.x0 = Math.min(box.x0, x - r), box.x1 = Math.max(box.x1, x + r);
      box.y0 = Math.min(box.y0, y - r), box.y1 = Math.max(box.y1, y + r);
    };
    for (const frame of data.frames)
      for (const d of data.drawings) {
        if (d.figure === "circle") { take(frame[d.first], frame[d.first + 1], Math.abs(frame[d.first + 2] ?? 0)); continue; }
        for (let k = 0; k + 1 < d.count; k += 2) take(frame[d.first + k], frame[d.first + k + 1], 0);
      }
    if (!(box.x0 <= box.x1)) return { x0: -1, x1: 1, y0: -1, y1: 1 };
    const more = 0.06 * Math.max(box.x1 - box.x0, box.y1 - box.y0) || 1;
    return { x0: box.x0 - more, x1: box.x1 + more, y0: box.y0 - more, y1: box.y1 + more };
  }

  const figures = {
    point(c, v, to) { const [x, y] = to(v[0], v[1]); c.beginPath(), c.arc(x, y, 5, 0, 7), c.fill(); },
    circle(c, v, to, unit) {
      const [x, y] = to(v[0], v[1]);
      const own = c.fillStyle;
      c.beginPath(), c.arc(x, y, Math.max(1, Math.abs(v[2]) * unit), 0, 7);
      c.fillStyle = colour("paper"), c.fill(), c.fillStyle = own; // it hides what was drawn before
      c.globalAlpha = 0.25, c.fill(), c.globalAlpha = 1, c.stroke();
    },
    line(c, v, to) {
      c.beginPath();
      for (let k = 0; k + 1 < v.length; k += 2) c[k ? "lineTo" : "moveTo"](...to(v[k], v[k + 1]));
      c.stroke();
    },
    spring(c, v, to) {
      const [x0, y0] = to(v[0], v[1]), [x1, y1] = to(v[2], v[3]), long = Math.hypot(x1 - x0, y1 - y0) || 1;
      const ux = (x1 - x0) / long, uy = (y1 - y0) / long, turns = 10, wide = 7;
      c.beginPath(), c.moveTo(x0, y0);
      for (let k = 0; k <= 2 * turns; k++) {
        const s = long * (0.12 + 0.76 * k / (2 * turns)), side = k === 0 || k === 2 * turns ? 0 : k % 2 ? wide : -wide;
        c.lineTo(x0 + ux * s - uy * side, y0 + uy * s + ux * side);
      }
      c.lineTo(x1, y1), c.stroke();
    },
    arrow(c, v, to) {
      const [x0, y0] = to(v[0], v[1]), [x1, y1] = to(v[2], v[3]), long = Math.hypot(x1 - x0, y1 - y0) || 1, head = Math.min(11, long / 2);
      const ux = head * (x1 - x0) / long, uy = head * (y1 - y0) / long;
      c.beginPath(), c.moveTo(x0, y0), c.lineTo(x1 - ux, y1 - uy), c.stroke();
      c.beginPath(), c.moveTo(x1, y1), c.lineTo(x1 - ux - 0.4 * uy, y1 - uy + 0.4 * ux), c.lineTo(x1 - ux + 0.4 * uy, y1 - uy - 0.4 * ux), c.fill();
    },
    trail() { }, // of all frames: below
    text(c, v, to, unit, d) { c.font = "14px system-ui", c.textAlign = "center", c.fillText(d.words, ...to(v[0], v[1])); },
  };

  /* Seconds of the model for one of ours: 1, unless that would be over at once or never. */
  function natural(whole) {
    if (!(whole > 0) || (whole >= 2 && whole <= 60)) return 1;
    const power = 10 ** Math.floor(Math.log10(whole / 20));
    return power * [5, 2, 1].find(n => n * power <= whole / 20);
  }

  /* The plane, on a canvas. */
  function inPlane(stage, data) {
    const all = extent(data);
    function draw(v, at, traced) {
      const width = stage.clientWidth, height = Math.max(200, Math.min(480, width * (all.y1 - all.y0) / (all.x1 - all.x0)));
      const ratio = devicePixelRatio || 1, c = stage.getContext("2d");
      stage.style.height = height + "px", stage.width = width * ratio, stage.height = height * ratio;
      const unit = Math.min(width / (all.x1 - all.x0), height / (all.y1 - all.y0));
      const to = (x, y) => [width / 2 + (x - (all.x0 + all.x1) / 2) * unit, height / 2 - (y - (all.y0 + all.y1) / 2) * unit];
      c.setTransform(ratio, 0, 0, ratio, 0, 0), c.clearRect(0, 0, width, height), c.lineWidth = 2.5, c.lineJoin = c.lineCap = "round";
      if (traced) trails(c, at, to);
      for (const d of data.drawings) {
        c.strokeStyle = c.fillStyle = colour(d.figure !== "text" && d.words || "black");
        figures[d.figure](c, v.slice(d.first, d.first + d.count), to, unit, d);
      }
    }
    function trails(c, at, to) {
      const length = 120;
      c.save(), c.lineWidth = 1.5, c.globalAlpha = 0.35;
      for (const d of data.drawings) {
        if (!["point", "circle", "trail"].includes(d.figure)) continue;
        c.strokeStyle = colour(d.words || "black"), c.beginPath();
        for (let k = Math.max(0, at - length); k <= at; k++) c.lineTo(...to(data.frames[k][d.first], data.frames[k][d.first + 1]));
        c.stroke();
      }
      c.restore();
    }
    return { draw };
  }

  /* What turns and zooms a picture in space: buttons, and keys. */
  function turning(view) {
    const t = 0.12;
    return {
      bar: element("div", { className: "bar", role: "group", ariaLabel: "view" },
        button("◀", "turn to the left", () => view.turn(-t, 0)), button("▶", "turn to the right", () => view.turn(t, 0)),
        button("▲", "look from higher up", () => view.turn(0, t)), button("▼", "look from further down", () => view.turn(0, -t)),
        button("+", "zoom in", () => view.zoom(1.25)), button("−", "zoom out", () => view.zoom(0.8)), button("Reset", "the first view", view.reset)),
      acts: {
        ArrowLeft: () => view.turn(-t, 0), ArrowRight: () => view.turn(t, 0), ArrowUp: () => view.turn(0, t), ArrowDown: () => view.turn(0, -t),
        "+": () => view.zoom(1.25), "=": () => view.zoom(1.25), "-": () => view.zoom(0.8), 0: view.reset,
      },
    };
  }

  function mechanism(parent, data) {
    const f = figure(parent, "Motion"), times = data.frame_times, last = times.length - 1, space = data.dimensions === 3;
    const stage = element("canvas", { className: "stage", tabIndex: 0 });
    stage.setAttribute("role", "img"), stage.setAttribute("aria-label", space
      ? "The moving bodies. Keys: space plays and stops, arrows turn them, plus and minus zoom, 0 shows the first view, comma and full stop step, Home and End go to the ends."
      : "The moving mechanism. Keys: space plays and stops, arrows step, Home and End go to the ends.");
    const slide = element("input", { type: "range", min: 0, max: last, step: 1, value: 0 }), clock = element("span", { className: "clock" });
    slide.setAttribute("aria-label", "time");
    const whole = Math.abs(times[last] - times[0]), speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10].map(s => s * natural(whole));
    let at = 0, now = times[0], playing = false, before = 0, pace = speeds[3], asked = 0;
    const [speed] = select("speed", speeds.map(s => +s.toPrecision(2) + "×"), 3, i => (pace = speeds[i]));
    const play = button("▶ Play", "play or stop", () => set(!playing));
    const trail = element("input", { type: "checkbox", checked: true });
    trail.addEventListener("change", () => draw());
    f.append(stage);
    const soon = () => { if (!asked) asked = requestAnimationFrame(() => (asked = 0, draw())); };
    const view = space ? inSpace.view(stage, data, colour, soon) : inPlane(stage, data), turned = space ? turning(view) : null;
    if (space) f.append(turned.bar);
    f.append(element("div", { className: "bar" }, play, slide, clock, speed, element("label", {}, trail, "trails")));
    const fewer = data.figures > data.drawings.length ? `The first ${data.drawings.length} of ${data.figures} figures are drawn.` : "";
    if (space || fewer) f.append(element("p", { className: "note" }, [view.note, fewer].filter(Boolean).join(" ")));

    function set(on) {
      playing = on;
      play.textContent = on ? "❚❚ Stop" : "▶ Play";
      if (on && at >= last) go(0);
      if (on) before = performance.now(), requestAnimationFrame(tick);
    }
    function go(k) { at = Math.max(0, Math.min(last, k)), now = times[at], draw(); }
    function tick(stamp) {
      if (!playing) return;
      now += Math.sign(times[last] - times[0] || 1) * pace * Math.max(0, stamp - before) / 1000, before = stamp;
      const ahead = times[last] >= times[0];
      while (at < last && (ahead ? times[at + 1] <= now : times[at + 1] >= now)) at++;
      draw();
      if (at >= last) set(false); else requestAnimationFrame(tick);
    }
    /* between two frames positions are in proportion */
    function frame() {
      const a = data.frames[at], b = data.frames[Math.min(last, at + 1)], step = times[Math.min(last, at + 1)] - times[at];
      const s = step ? Math.max(0, Math.min(1, (now - times[at]) / step)) : 0;
      return a.map((v, k) => v == null || b[k] == null ? v : v + s * (b[k] - v));
    }
    function draw() {
      view.draw(frame(), at, trail.checked);
      slide.value = at;
      data.now = now, data.marks.forEach(move => move());
      clock.textContent = `${data.columns[0].name} = ${now.toFixed(2)}`;
      stage.dataset.frame = at;
    }
    slide.addEventListener("input", () => (set(false), go(+slide.value)));
    const to = k => () => (set(false), go(k())), back = to(() => at - 1), on = to(() => at + 1);
    const acts = {
      " ": () => set(!playing), Home: to(() => 0), End: to(() => last),
      ...(space ? { ",": back, ".": on, ...turned.acts } : { ArrowLeft: back, ArrowRight: on }),
    };
    f.addEventListener("keydown", e => {
      if (e.target !== stage && !(e.target === slide && e.key === " ")) return; // the slider has arrows of its own
      if (acts[e.key] && !e.ctrlKey && !e.metaKey && !e.altKey) acts[e.key](), e.preventDefault();
    });
    go(0);
    redraws.push(draw);
  }

  /* All of one result. ------------------------------------------------------------------------- */
  function result(source) {
    const data = JSON.parse(source.textContent);
    data.events = data.events || [];
    data.marks = new Map(), data.file = source.parentNode.previousElementSibling.querySelector("span").textContent;
    data.values = data.changes.map((column, i) => column.map(x => x == null ? null : data.first[i] + x));
    const into = source.parentNode, all = data.columns.map((c, i) => i).slice(1);
    const find = name => data.columns.findIndex(c => c.name === name);
    const coordinates = all.filter(i => find(`p(${data.columns[i].name})`) > 0), momenta = data.columns.findIndex(c => c.name.startsWith("p("));
    const states = all.filter(i => i < momenta && !coordinates.includes(i)); // they have no momentum, and stand before all momenta
    const first = coordinates.length ? coordinates : all, energy = find("energy");
    const opening = data.outputs && data.outputs.length ? data.outputs.slice(0, 6) : [...first.slice(0, 3), ...states.slice(0, 3)];
    if (data.frames) mechanism(into, data);
    if (!window.uPlot || !all.length) return data;
    overTime(into, data, "Over time", all, opening, data.values, data.id);
    overTime(into, data, "Drift from the first value", all, [energy > 0 ? energy : all[all.length - 1]], data.changes, data.id);
    if (all.length > 1) {
      const momentum = find(`p(${data.columns[first[0]].name})`);
      const flat = first.length > 1 && data.columns[first[0]].name === "x" && data.columns[first[1]].name === "y";
      portrait(into, data, flat ? [first[0], first[1]] : momentum > 0 ? [first[0], momentum] : [all[0], all[1]]);
    }
    return data;
  }

  /* Several results in one plot, over the same time: a column that all of them have, in one colour for each result. */
  function together(into, all) {
    const names = all[0].columns.slice(1).filter(c => all.every(d => d.columns.some(o => o.name === c.name))).map(c => c.name);
    if (!names.length) return into.remove();
    const f = figure(into, "All results over time"), box = element("div", { className: "plot", role: "img" }), values = element("div", { className: "values" });
    const outputs = names.findIndex(n => (all[0].outputs || []).some(i => all[0].columns[i].name === n));
    let name = names[Math.max(0, outputs)], changes = false, u = null;
    const column = (d, n) => d.columns.findIndex(c => c.name === n);
    const [pick] = select("column", names, Math.max(0, outputs), i => (name = names[i], draw()));
    const drift = element("input", { type: "checkbox" });
    drift.addEventListener("change", () => (changes = drift.checked, draw()));
    const zoom = zoomer(() => u, ["x"]), reset = () => u.setScale("x", { min: u.data[0][0], max: u.data[0].at(-1) });
    f.append(element("div", { className: "bar" }, pick, element("label", {}, drift, "less its first value")), controls(f, zoom, reset), box, values);
    keys(box, zoom, reset);
    const tell = v => {
      const i = v.cursor.idx;
      values.replaceChildren();
      all.forEach((d, k) => {
        const mark = element("i");
        mark.style.background = paint(k);
        const x = i == null ? null : at(d, column(d, name), v.data[0][i]);
        values.append(mark, d.file + (i == null ? " " : " = "), element("b", {}, i == null ? "" : shown(x == null ? null : x - (changes ? d.first[column(d, name)] : 0))));
      });
    };
    function table(d) { // times only grow
      const k = column(d, name), t = d.values[0], y = changes ? d.changes[k] : d.values[k], back = t[0] > t[t.length - 1];
      return back ? [t.slice().reverse(), y.slice().reverse()] : [t, y];
    }
    function draw() {
      if (u) u.destroy();
      box.setAttribute("aria-label", `${name} of ${all.map(d => d.file).join(", ")}. ${zoom.keys}`);
      u = new uPlot({
        width: box.clientWidth, height: Math.max(220, Math.min(360, box.clientWidth * 0.5)), legend: { show: false },
        scales: { x: { time: false }, y: { range: room } }, axes: [axis(title(all[0].columns[0])), sideAxis(title(all[0].columns[column(all[0], name)]))],
        cursor: { drag: { x: true, y: false } },
        series: [{}, ...all.map((d, k) => ({ label: d.file, stroke: paint(k), width: 1.6, pxAlign: 0, points: { show: d.values[0].length < 40 } }))],
        hooks: { setCursor: [tell] },
      }, uPlot.join(all.map(table)), box);
      wheel(u, ["x"]), tell(u);
      f.plot = u;
    }
    draw();
    redraws.push(draw);
  }

  const shownResults = [...document.querySelectorAll("script.result")].map(result);
  if (window.uPlot && shownResults.length > 1) together(document.getElementById("together"), shownResults);

  let waiting = 0;
  const again = () => { clearTimeout(waiting), waiting = setTimeout(() => redraws.forEach(draw => draw()), 120); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  let wide = innerWidth;
  // a frame may get its room after all has been drawn; what a scroll bar takes does not count
  const isNarrow = () => [...document.querySelectorAll(".uplot")].some(u => Math.abs(u.parentNode.clientWidth - u.clientWidth) > 30) ||
    [...document.querySelectorAll("canvas.stage")].some(c => c.clientWidth && !c.width);
  const widths = new ResizeObserver(() => { if (innerWidth !== wide || isNarrow()) wide = innerWidth, again(); });
  for (const part of [document.documentElement, ...document.querySelectorAll("figure")]) widths.observe(part);
  for (const box of document.querySelectorAll(".wide")) { // fonts of formulas differ in width
    const part = box.clientWidth / box.scrollWidth;
    if (part < 1) box.style.setProperty("--fit", Math.max(0.7, 0.98 * part));
  }
  document.documentElement.dataset.ready = "yes";
})();
