/* space.js - figures in space, seen in perspective from a place that can be moved around them. They become solids, strokes
 * and labels; solids and strokes are painted by three.js where there is WebGL, otherwise face by face from back to front. */
"use strict";
const inSpace = (() => {
  const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]], sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const times = (k, a) => [k * a[0], k * a[1], k * a[2]], dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const norm = a => Math.hypot(...a), unit = a => { const n = norm(a); return n > 0 ? times(1 / n, a) : [0, 0, 1]; };
  const upright = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const WIDE = 0.6, TRAIL = 600; // the angle of view from top to bottom, the frames of a trail

  /* Solids. ------------------------------------------------------------------------------------ */

  /* Faces of a surface over two angles, with the normals at their corners; they have two tones, so that it can be seen to turn. */
  function patches(along, across, at, tone) {
    const faces = [];
    for (let i = 0; i < along; i++)
      for (let j = 0; j < across; j++) {
        const corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(([a, b]) => at(a / along, b / across));
        faces.push({ at: corners.map(c => c[0]), normals: corners.map(c => c[1]), tone: tone(i / along, j / across) });
      }
    return faces;
  }
  const circle = s => [Math.cos(2 * Math.PI * s), Math.sin(2 * Math.PI * s)];
  const quarter = s => Math.floor(4 * s + 1e-9) % 2;
  function lid(n, z, up) {
    return patches(n, n / 8, (s, r) => { const [x, y] = circle(up > 0 ? s : -s); return [[r * x, r * y, z], [0, 0, up]]; }, s => quarter(up > 0 ? s : 0.9999 - s));
  }
  function side(n, axis, up) { // of a box
    const put = (a, b) => { const p = [0, 0, 0]; p[axis] = up / 2, p[(axis + 1) % 3] = a - 0.5, p[(axis + 2) % 3] = up * (b - 0.5); return p; };
    return patches(n / 8, n / 8, (a, b) => [put(a, b), times(up, upright[axis])], () => 0);
  }
  /* Of the size 1: radius, length along the third axis, edges; n faces make a circle. */
  const solids = {
    ball: n => patches(n, n / 2, (s, h) => {
      const [x, y] = circle(s), z = -Math.cos(Math.PI * h), r = Math.sin(Math.PI * h), p = [r * x, r * y, z];
      return [p, p];
    }, (s, h) => (quarter(s) + (h >= 0.5)) % 2),
    cylinder: n => [...patches(n, n / 8, (s, h) => { const [x, y] = circle(s); return [[x, y, h - 0.5], [x, y, 0]]; }, quarter), ...lid(n, 0.5, 1), ...lid(n, -0.5, -1)],
    cone: n => [...patches(n, 1, (s, h) => { const [x, y] = circle(s); return [[(1 - h) * x, (1 - h) * y, h], unit([x, y, 1])]; }, () => 0), ...lid(n, 0, -1)],
    box: n => [0, 1, 2].flatMap(axis => [...side(n, axis, 1), ...side(n, axis, -1)]),
  };
  const surfaces = new Map();
  function surface(kind, n) {
    if (!surfaces.has(kind + n)) surfaces.set(kind + n, solids[kind](n));
    return surfaces.get(kind + n);
  }
  /* The more there are, the fewer faces has each, so that there are not more than `most`, or a few for each. */
  const fineness = (count, most) => [32, 16].find(n => count * 0.4 * n * n <= most) ?? 8;

  /* Figures as solids, strokes and labels. ------------------------------------------------------ */

  /* Numbers from k on: a place; the axes of a rotation, which is no exact one between two frames. */
  const place = (v, k) => [v[k], v[k + 1], v[k + 2]];
  function axes(v, k) {
    const x = unit([v[k], v[k + 3], v[k + 6]]), y0 = [v[k + 1], v[k + 4], v[k + 7]], y = unit(sub(y0, times(dot(x, y0), x)));
    return [x, y, cross(x, y)];
  }
  /* Axes of which the third is along a. */
  function along(a) {
    const z = unit(a), x = unit(cross(Math.abs(z[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], z));
    return [x, cross(z, x), z];
  }
  const sized = (axes, a, b, c) => [times(a, axes[0]), times(b, axes[1]), times(c, axes[2])];

  const figures = {
    point(to, v, look) { to.solids.push({ kind: "ball", at: place(v, 0), axes: upright, pixels: 5, colour: look.ink }); },
    line(to, v, look) {
      const at = [];
      for (let k = 0; k < v.length; k += 3) at.push(place(v, k));
      to.strokes.push({ at, colour: look.ink, width: 2.5 });
    },
    spring(to, v, look, size) {
      const a = place(v, 0), b = place(v, 3), [x, y] = along(sub(b, a)), at = [a], turns = 9, steps = 12 * turns, r = Math.min(0.025 * size, 0.12 * norm(sub(b, a)));
      for (let k = 0; k <= steps; k++) {
        const s = 0.12 + 0.76 * k / steps, [cx, cy] = circle(k / 12);
        at.push(add(add(a, times(s, sub(b, a))), add(times(r * cx, x), times(r * cy, y))));
      }
      to.strokes.push({ at: [...at, b], colour: look.ink, width: 2 });
    },
    text(to, v, look, size, words) { to.labels.push({ at: place(v, 0), words, colour: look.ink }); },
    arrow(to, v, look, size) {
      const a = place(v, 0), b = place(v, 3), d = sub(b, a), long = norm(d), head = Math.min(0.09 * size, long / 2), z = along(d);
      if (!long) return;
      const neck = sub(b, times(head / long, d)), thick = Math.min(0.012 * size, 0.04 * long);
      to.solids.push({ kind: "cylinder", at: times(0.5, add(a, neck)), axes: sized(z, thick, thick, long - head), colour: look.ink },
        { kind: "cone", at: neck, axes: sized(z, 0.35 * head, 0.35 * head, head), colour: look.ink });
    },
    trail() { }, // of all frames: below
    sphere(to, v, look) {
      const turned = v.length > 4, r = Math.abs(v[v.length - 1]);
      to.solids.push({ kind: "ball", turned, at: place(v, 0), axes: sized(turned ? axes(v, 3) : upright, r, r, r), colour: look.body });
    },
    box(to, v, look) {
      const edges = v.slice(-3).map(Math.abs), at = place(v, 0), own = sized(v.length > 6 ? axes(v, 3) : upright, ...edges);
      to.solids.push({ kind: "box", at, axes: own, colour: look.body });
      const corner = (i, j, k) => add(add(at, times(i, own[0])), add(times(j, own[1]), times(k, own[2]))), h = 0.5;
      for (const k of [-h, h]) to.strokes.push({ at: [[-h, -h], [h, -h], [h, h], [-h, h], [-h, -h]].map(([i, j]) => corner(i, j, k)), colour: look.edge, width: 1.2 });
      for (const [i, j] of [[-h, -h], [h, -h], [h, h], [-h, h]]) to.strokes.push({ at: [corner(i, j, -h), corner(i, j, h)], colour: look.edge, width: 1.2 });
    },
    cylinder(to, v, look) {
      const turned = v.length > 7, a = place(v, 0), b = turned ? a : place(v, 3);
      const [r, long] = turned ? v.slice(-2).map(Math.abs) : [Math.abs(v[6]), norm(sub(b, a))];
      to.solids.push({ kind: "cylinder", turned, at: times(0.5, add(a, b)), axes: sized(turned ? axes(v, 3) : along(sub(b, a)), r, r, long), colour: look.body });
    },
  };
  /* How far a figure reaches beyond its places, along x, y and z; a disk of the radius r across the axis z by r sqrt(1 - z_k^2). */
  const across = (r, z) => z.map(c => Math.abs(r) * Math.sqrt(Math.max(0, 1 - c * c)));
  const reach = {
    sphere: v => Array(3).fill(Math.abs(v[v.length - 1])),
    box(v) { const own = sized(v.length > 6 ? axes(v, 3) : upright, ...v.slice(-3)); return [0, 1, 2].map(k => own.reduce((sum, a) => sum + Math.abs(a[k]) / 2, 0)); },
    cylinder(v) {
      const z = v.length > 7 ? axes(v, 3)[2] : unit(sub(place(v, 3), place(v, 0)));
      return v.length > 7 ? add(across(v[12], z), z.map(c => Math.abs(c * v[13]) / 2)) : across(v[6], z);
    },
  };
  const lost = v => v.some(x => x == null || Math.abs(x) > 1e30); // nowhere, or too far away to be seen
  const places = d => d.figure === "line" ? d.count / 3 : d.figure === "spring" || d.figure === "arrow" || (d.figure === "cylinder" && d.count === 7) ? 2 : 1;

  /* The box that holds all figures of all frames. */
  function extent(data) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const frame of data.frames)
      for (const d of data.drawings) {
        const v = frame.slice(d.first, d.first + d.count);
        if (lost(v)) continue;
        const more = reach[d.figure]?.(v) ?? [0, 0, 0];
        for (let k = 0; k < 3 * places(d); k++) low[k % 3] = Math.min(low[k % 3], v[k] - more[k % 3]), high[k % 3] = Math.max(high[k % 3], v[k] + more[k % 3]);
      }
    return low[0] <= high[0] ? { low, high } : { low: [-1, -1, -1], high: [1, 1, 1] };
  }

  /* A step of 1, 2 or 5 that cuts a length into about ten. */
  function step(length) {
    const power = 10 ** Math.floor(Math.log10(length / 8));
    return power * [1, 2, 5, 10].find(n => n * power >= length / 10);
  }

  /* The floor below all that moves, in squares, with the three axes at one of its corners, along two of its sides. */
  function floorOf({ low, high }, size) {
    const wide = Math.max(high[0] - low[0], high[1] - low[1], size / 3), h = step(wide), z = low[2], from = [], to = [];
    for (const k of [0, 1]) {
      const middle = (low[k] + high[k]) / 2;
      from[k] = h * Math.floor((middle - wide / 2) / h + 1e-6), to[k] = h * Math.ceil((middle + wide / 2) / h - 1e-6);
    }
    const lines = [], squares = k => Math.min(50, Math.round((to[k] - from[k]) / h));
    for (let i = 1; i <= squares(0); i++) lines.push([[from[0] + i * h, from[1], z], [from[0] + i * h, to[1], z]]);
    for (let i = 1; i <= squares(1); i++) lines.push([[from[0], from[1] + i * h, z], [to[0], from[1] + i * h, z]]);
    const corner = [from[0], from[1], z], top = Math.max(high[2], z + 0.25 * wide);
    return { square: h, lines, corner, to, ends: [[to[0], from[1], z], [from[0], to[1], z], [from[0], from[1], top]] };
  }

  /* The eye. ----------------------------------------------------------------------------------- */
  function frame(camera) {
    const c = Math.cos(camera.tilt), back = [c * Math.cos(camera.turn), c * Math.sin(camera.turn), Math.sin(camera.tilt)];
    const right = unit(cross([0, 0, 1], back));
    return { back, right, up: cross(back, right) };
  }

  /* From how far away points are seen as a whole, in a picture so much wider than high, and about which point above the centre. */
  function fit(points, camera, aspect) {
    const { back, right, up } = frame(camera), t = 0.92 * Math.tan(WIDE / 2), centre = [...camera.centre];
    let far = 1;
    for (let round = 0; round < 6; round++) {
      const at = points.map(p => sub(p, centre)).map(p => [dot(p, right), dot(p, up), dot(p, back)]);
      far = Math.max(...at.map(([x, y, b]) => b + Math.max(Math.abs(x) / aspect, Math.abs(y)) / t));
      const heights = at.map(([x, y, b]) => y / (far - b));
      centre[2] += far * (Math.max(...heights) + Math.min(...heights)) / 2 / up[2];
    }
    return { far, centre };
  }
  function seen(camera, width, height) {
    const { back, right, up } = frame(camera), eye = add(camera.centre, times(camera.far, back));
    const focus = height / 2 / Math.tan(WIDE / 2), near = 0.02 * camera.far;
    const depth = p => dot(sub(eye, p), back);
    return {
      eye, back, near, depth, focus,
      light: unit(add(add(times(0.8, back), times(0.6, up)), times(0.35, right))), // over the shoulder
      pixel: p => Math.max(near, depth(p)) / focus, // the length of one there
      to: p => { const d = sub(p, eye), k = focus / Math.max(near, -dot(d, back)); return [width / 2 + k * dot(d, right), height / 2 - k * dot(d, up)]; },
    };
  }

  /* Painters. ---------------------------------------------------------------------------------- */
  const TONE = 0.62; // of the darker faces of what turns

  const channels = new Map();
  function rgb(c, css) { // of any colour of the page
    if (!channels.has(css)) {
      c.save(), c.fillStyle = css;
      const hex = c.fillStyle;
      c.restore(), channels.set(css, [1, 3, 5].map(k => parseInt(hex.slice(k, k + 2), 16)));
    }
    return channels.get(css);
  }

  /* Faces and pieces of strokes from the farthest to the nearest; faces that look away are hidden. */
  function byFaces(c, scene, view, camera) {
    const pieces = [], fine = fineness(scene.solids.length, 12000);
    for (const s of scene.solids) {
      const base = rgb(c, s.colour), inverse = s.axes.map(a => times(1 / (dot(a, a) || 1), a));
      for (const face of surface(s.kind, fine)) {
        const at = face.at.map(p => add(s.at, add(add(times(p[0], s.axes[0]), times(p[1], s.axes[1])), times(p[2], s.axes[2]))));
        const m = times(1 / face.at.length, face.normals.reduce(add)), n = unit(add(add(times(m[0], inverse[0]), times(m[1], inverse[1])), times(m[2], inverse[2])));
        const middle = times(1 / at.length, at.reduce(add)), depth = view.depth(middle);
        if (depth < view.near || dot(n, sub(view.eye, middle)) <= 0) continue;
        const shade = (0.6 + 0.4 * Math.max(0, dot(n, view.light))) * (s.turned && face.tone ? TONE : 1);
        pieces.push({ depth, at: at.map(view.to), fill: `rgb(${base.map(x => Math.round(x * shade)).join()})` });
      }
    }
    for (const s of scene.strokes)
      for (let k = 0; k + 1 < s.at.length; k++) {
        const long = sub(s.at[k + 1], s.at[k]), cuts = Math.min(24, Math.ceil(norm(long) / (0.03 * camera.far)) || 1);
        for (let i = 0; i < cuts; i++) {
          const a = add(s.at[k], times(i / cuts, long)), b = add(s.at[k], times((i + 1) / cuts, long));
          if (Math.min(view.depth(a), view.depth(b)) < view.near) continue;
          const depth = s.floor ? s.floor * Infinity : 0.985 * view.depth(times(0.5, add(a, b))); // below everything, or, seen from below, over it
          pieces.push({ depth, at: [view.to(a), view.to(b)], stroke: s.colour, width: s.width, alpha: s.alphas?.[k] ?? 1 });
        }
      }
    c.lineJoin = c.lineCap = "round";
    for (const p of pieces.sort((a, b) => b.depth === a.depth ? 0 : b.depth - a.depth)) {
      c.beginPath(), p.at.forEach(([x, y], k) => c[k ? "lineTo" : "moveTo"](x, y));
      if (p.fill) c.closePath(), c.fillStyle = c.strokeStyle = p.fill, c.lineWidth = 1, c.fill(), c.stroke(); // no gaps between faces
      else c.globalAlpha = p.alpha, c.strokeStyle = p.stroke, c.lineWidth = p.width, c.stroke(), c.globalAlpha = 1;
    }
  }

  /* One WebGL for all pictures of the page; each is copied to its own canvas. Null: there is none. */
  let shared;
  function three() {
    if (shared !== undefined || typeof THREE === "undefined") return shared ?? null;
    const canvas = document.createElement("canvas"), context = canvas.getContext("webgl2", { antialias: true, alpha: true });
    if (!context) return shared = null;
    const renderer = new THREE.WebGLRenderer({ canvas, context }), scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera();
    canvas.addEventListener("webglcontextlost", () => (shared = null));
    renderer.setClearColor(0, 0);
    const light = new THREE.DirectionalLight(0xffffff, 1.6);
    scene.add(new THREE.AmbientLight(0xffffff, 1.7), light);
    camera.up.set(0, 0, 1);

    /* Faces as triangles, once for each kind of solid; all of a kind are drawn at once. */
    const material = new THREE.MeshLambertMaterial({ vertexColors: true, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1, side: THREE.DoubleSide });
    const meshes = new Map();
    function geometry(faces, turned) {
      const position = [], normal = [], color = [];
      for (const face of faces)
        for (let k = 1; k + 1 < face.at.length; k++)
          for (const i of [0, k, k + 1]) {
            const tone = turned && face.tone ? TONE ** 2.2 : 1;
            position.push(...face.at[i]), normal.push(...face.normals[i]), color.push(tone, tone, tone);
          }
      const g = new THREE.BufferGeometry(), put = (name, list) => g.setAttribute(name, new THREE.Float32BufferAttribute(list, 3));
      put("position", position), put("normal", normal), put("color", color);
      return g;
    }
    function mesh(key, kind, turned, n, count) {
      const held = meshes.get(key);
      if (held && held.room >= count) return held.mesh;
      if (held) scene.remove(held.mesh), held.mesh.dispose();
      const made = new THREE.InstancedMesh(held ? held.mesh.geometry : geometry(surface(kind, n), turned), material, 2 * count);
      made.frustumCulled = false, scene.add(made), meshes.set(key, { mesh: made, room: 2 * count });
      return made;
    }
    const matrix = new THREE.Matrix4(), tint = new THREE.Color();
    function putSolids(solids, origin) {
      const kinds = new Map(), n = fineness(solids.length, 400000);
      for (const s of solids) {
        const key = s.kind + !!s.turned + n;
        if (!kinds.has(key)) kinds.set(key, []);
        kinds.get(key).push(s);
      }
      for (const [key, held] of meshes) if (!kinds.has(key)) held.mesh.count = 0;
      for (const [key, list] of kinds) {
        const all = mesh(key, list[0].kind, !!list[0].turned, n, list.length);
        list.forEach((s, i) => {
          const [x, y, z] = s.axes, p = sub(s.at, origin);
          all.setMatrixAt(i, matrix.set(x[0], y[0], z[0], p[0], x[1], y[1], z[1], p[1], x[2], y[2], z[2], p[2], 0, 0, 0, 1));
          all.setColorAt(i, tint.set(s.colour));
        });
        all.count = list.length, all.instanceMatrix.needsUpdate = all.instanceColor.needsUpdate = true;
      }
    }

    /* Strokes are strips that face the eye, as wide as they are to look. */
    const ribbon = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, side: THREE.DoubleSide }));
    ribbon.frustumCulled = false, scene.add(ribbon);
    function putStrokes(strokes, view, origin) {
      const position = [], color = [];
      for (const s of strokes)
        for (let k = 0; k + 1 < s.at.length; k++) {
          const [a, b] = [s.at[k], s.at[k + 1]], side = unit(cross(sub(b, a), sub(view.eye, a)));
          const half = p => times(s.width / 2 * view.pixel(p), side), [wa, wb] = [half(a), half(b)];
          tint.set(s.colour);
          for (const p of [sub(a, wa), add(a, wa), sub(b, wb), sub(b, wb), add(a, wa), add(b, wb)])
            position.push(...sub(p, origin)), color.push(tint.r, tint.g, tint.b, s.alphas?.[k] ?? 1);
        }
      ribbon.geometry.dispose(), ribbon.geometry = new THREE.BufferGeometry();
      ribbon.geometry.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
      ribbon.geometry.setAttribute("color", new THREE.Float32BufferAttribute(color, 4));
    }

    return shared = (c, parts, view, at) => {
      const { width, height } = c.canvas;
      renderer.setSize(width, height, false);
      camera.fov = WIDE * 180 / Math.PI, camera.aspect = width / height, camera.near = view.near, camera.far = 50 * at.far, camera.updateProjectionMatrix();
      camera.position.set(...sub(view.eye, at.centre)), camera.lookAt(0, 0, 0), light.position.set(...view.light); // short numbers, from the centre
      putSolids(parts.solids, at.centre), putStrokes(parts.strokes, view, at.centre), renderer.render(scene, camera);
      c.save(), c.setTransform(1, 0, 0, 1, 0, 0), c.drawImage(canvas, 0, 0), c.restore();
    };
  }

  /* The picture. ------------------------------------------------------------------------------- */

  /* On a canvas that is the page's. `again` is called when it is to be drawn anew. */
  function view(stage, data, colour, again) {
    const all = extent(data), size = norm(sub(all.high, all.low)) || 1, ground = floorOf(all, size);
    const middle = times(0.5, add(all.low, all.high));
    const corners = [ground.corner, ...ground.ends, [...ground.to, ground.corner[2]], [middle[0], middle[1], all.high[2]]];
    const first = { turn: -1, tilt: 0.35, centre: middle, zoom: 1 };
    let camera = { ...first };
    const turn = (a, b) => { camera.turn += a, camera.tilt = Math.max(-1.56, Math.min(1.56, camera.tilt + b)), again(); };
    const zoom = k => { camera.zoom = Math.max(0.1, Math.min(20, camera.zoom * k)), again(); };
    const reset = () => { camera = { ...first }, again(); };

    stage.classList.add("space");
    const fingers = new Map();
    const spread = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a.x - b.x, a.y - b.y) || 1; };
    stage.addEventListener("pointerdown", e => { stage.setPointerCapture(e.pointerId), fingers.set(e.pointerId, { x: e.clientX, y: e.clientY }); });
    stage.addEventListener("pointermove", e => {
      const held = fingers.get(e.pointerId);
      if (!held) return;
      const dx = e.clientX - held.x, dy = e.clientY - held.y, before = fingers.size === 2 ? spread() : 0;
      held.x = e.clientX, held.y = e.clientY;
      if (fingers.size === 1) turn(-0.008 * dx, 0.008 * dy);
      if (fingers.size === 2) zoom(spread() / before);
    });
    for (const end of ["pointerup", "pointercancel"]) stage.addEventListener(end, e => fingers.delete(e.pointerId));
    stage.addEventListener("wheel", e => {
      if (!e.ctrlKey && !e.shiftKey && document.activeElement !== stage) return; // the page scrolls
      e.preventDefault(), zoom((e.deltaY || e.deltaX) < 0 ? 1.12 : 1 / 1.12);
    }, { passive: false });

    function draw(v, at, trails) {
      const width = stage.clientWidth, height = Math.max(240, Math.min(480, 0.7 * width, 0.65 * innerHeight)), ratio = devicePixelRatio || 1;
      const c = stage.getContext("2d");
      stage.style.height = height + "px", stage.width = Math.round(width * ratio), stage.height = Math.round(height * ratio);
      c.setTransform(ratio, 0, 0, ratio, 0, 0), c.clearRect(0, 0, width, height);
      const whole = fit(corners, first, width / height);
      camera.centre = whole.centre, camera.far = whole.far / camera.zoom;
      const eye = seen(camera, width, height), scene = { solids: [], strokes: [], labels: [] };
      const floor = eye.eye[2] >= ground.corner[2] ? 1 : -1;
      for (const at of ground.lines) scene.strokes.push({ at, floor, colour: colour("line"), width: 1.3 });
      ground.ends.forEach((end, k) => {
        scene.strokes.push({ at: [ground.corner, end], colour: colour("soft"), width: 1.6 });
        scene.labels.push({ at: add(end, times(0.03, sub(end, ground.corner))), words: "xyz"[k], colour: colour("soft") });
      });
      for (const d of data.drawings) {
        const own = v.slice(d.first, d.first + d.count), named = d.figure !== "text" && d.words;
        if (lost(own)) continue;
        figures[d.figure](scene, own, { ink: colour(named || "black"), body: colour(named || "grey"), edge: colour("ink") }, size, d.words);
        if (d.figure === "trail" && trails) scene.strokes.push(trailOf(d, at, place(own, 0), colour(named || "black")));
      }
      for (const s of scene.solids) if (s.pixels) s.axes = sized(s.axes, ...Array(3).fill(s.pixels * eye.pixel(s.at)));
      const paint = three();
      if (paint) paint(c, scene, eye, camera); else byFaces(c, scene, eye, camera);
      c.font = "14px system-ui", c.textAlign = "center", c.textBaseline = "middle";
      for (const l of scene.labels) if (eye.depth(l.at) > eye.near) c.fillStyle = l.colour, c.fillText(l.words, ...eye.to(l.at));
      stage.dataset.painter = paint ? "three" : "faces";
    }
    /* Where a point has been, the fainter the longer ago. */
    function trailOf(d, at, now, ink) {
      const path = data.frames.slice(Math.max(0, at - TRAIL), at + 1).map(f => place(f, d.first)).filter(p => !lost(p));
      return { at: [...path, now], colour: ink, width: 1.6, alphas: path.map((p, k) => 0.1 + 0.6 * (k + 1) / path.length) };
    }
    const missing = typeof THREE !== "undefined" && !three() ? " This browser has no WebGL: surfaces are drawn face by face." : "";
    return {
      draw, turn, zoom, reset,
      note: `Drag to turn it; two fingers zoom, and so does the wheel after a click. A square of the floor is ${+ground.square.toPrecision(3)}.${missing}`,
    };
  }
  return { view };
})();
