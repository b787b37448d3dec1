// The player of a page: makePlayer(root) plays the film or the sound in root, steps
// through it frame by frame, draws the waveform, and follows the shots.
//
// root holds
//   <video> or <audio>       with its source set, preload="auto"
//   <canvas>                 for the waveform, if there is one
//   elements with data-seek  to jump to, in seconds; those with data-shot form the strip
// and says where the data is
//   data-times               the address of times.bin, for a film
//   data-peaks               the address of peaks.bin
//   data-rate                peaks a second; 200 if it is not said
//
// What it returns:
//   ready                    a promise; it fails with a reason in words
//   play(), pause(), toggle()
//   step(n)                  n frames on, or back if n < 0; 0.05 s each in a sound
//   seek(seconds)            step and seek return promises of now() once that is shown; if
//                            its frame is not the one that was wanted, the browser cannot
//                            show that one
//   playSpan(start, end)     plays and stops at end; the promise comes then
//   now()                    {time, frame, playing}: the frame that is seen, frame -1 in a sound
//   frames()                 how many there are
//   duration()               in seconds
//   frameAt(seconds), timeOf(frame)
//   setSpans([{start, end, label}])
//   setView(start, end)      the part that the waveform shows; without arguments all
//   close()                  stops, and lets go of everything
// root gets an event "presented" with detail now() whenever that changes.
'use strict';

// eslint-disable-next-line no-unused-vars
function makePlayer(root) {
  const media = root.querySelector('video, audio');
  const isFilm = media.tagName === 'VIDEO';
  const canPresent = isFilm && 'requestVideoFrameCallback' in media;
  const soundStep = 0.05; // seconds
  const gone = new AbortController();
  let times = new Float64Array(0);
  let shown = { time: 0, frame: isFilm ? 0 : -1 };
  let goal = null; // the seek under way: {time, frame, wait: functions to call at its end}
  let span = null; // the span that plays: {end, done}

  const on = (target, type, does) => target.addEventListener(type, does, { signal: gone.signal });

  // --- times and frames

  // The last frame that appears at or before a time.
  function frameAt(seconds) {
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (times[mid] <= seconds) low = mid; else high = mid - 1;
    }
    return times.length ? low : -1;
  }

  // The frame whose time this is, as a browser rounds it.
  function frameOf(mediaTime) {
    const frame = frameAt(mediaTime);
    if (frame < 0 || frame + 1 >= times.length) return frame;
    return times[frame + 1] - mediaTime < mediaTime - times[frame] ? frame + 1 : frame;
  }

  // A time within a frame that rounding cannot make another frame's.
  function middleOf(frame) {
    if (frame + 1 < times.length) return (times[frame] + times[frame + 1]) / 2;
    const end = Number.isFinite(media.duration) ? media.duration : times[frame];
    return end > times[frame] ? Math.min((times[frame] + end) / 2, times[frame] + 0.005) : times[frame];
  }

  function duration() {
    return Number.isFinite(media.duration) ? media.duration : 0;
  }

  function now() {
    return { time: shown.time, frame: shown.frame, playing: !media.paused };
  }

  function setShown(frame, time) {
    if (frame === shown.frame && time === shown.time) return;
    shown = { frame, time };
    announce();
  }

  function announce() {
    root.dispatchEvent(new CustomEvent('presented', { detail: now() }));
    markShot();
    draw();
  }

  // What is shown by the clock alone: of a sound, or where the browser does not say which
  // frame it presented.
  function byClock() {
    if (!isFilm || !times.length) { setShown(-1, media.currentTime); return; }
    const frame = frameAt(media.currentTime);
    setShown(frame, times[frame]);
  }

  // --- what is presented

  let presentation = 0;
  function watch() {
    presentation = media.requestVideoFrameCallback((_, metadata) => {
      watch();
      if (times.length) {
        const frame = frameOf(metadata.mediaTime);
        setShown(frame, times[frame]);
      }
      if (goal) goal.presented = true;
      if (goal && goal.sought && shown.frame === goal.frame) arrive();
      checkSpan();
    });
  }

  // --- seeking

  // Seeks end in order: a new goal while one is under way replaces it, and whoever waits
  // for the old one gets what is shown at the end.
  function go(frame, time, middle) {
    const wait = goal ? goal.wait : [];
    if (goal) clearTimeout(goal.late);
    goal = { frame, time, wait, sought: false, presented: false };
    media.currentTime = middle;
    return new Promise((done) => wait.push(done));
  }

  function arrive() {
    const { wait, late } = goal;
    clearTimeout(late);
    goal = null;
    wait.forEach((done) => done(now()));
  }

  on(media, 'seeked', () => {
    if (!goal) { if (!canPresent) byClock(); return; }
    if (media.seeking) return; // a later goal is on its way
    goal.sought = true;
    if (!canPresent) { byClock(); arrive(); return; }
    if (shown.frame === goal.frame) { arrive(); return; }
    // A page that is not seen presents nothing: then only the clock is known. Where another
    // frame is presented, it is that one which is seen.
    goal.late = setTimeout(() => { if (!goal.presented) byClock(); arrive(); }, 500);
  });

  function seekFrame(frame) {
    const to = Math.max(0, Math.min(frame, times.length - 1));
    return go(to, times[to], middleOf(to));
  }

  function seek(seconds) {
    endSpan();
    const to = Math.max(0, Math.min(Number(seconds) || 0, duration() || Infinity));
    // Times that were written down are rounded, and mean the frame that appears there.
    if (isFilm && times.length) return seekFrame(frameAt(to + 0.0005));
    return go(-1, to, to);
  }

  function step(n) {
    pause();
    if (isFilm && times.length) return seekFrame((goal ? goal.frame : shown.frame) + n);
    const from = goal ? goal.time : media.currentTime;
    const to = Math.max(0, Math.min(from + n * soundStep, duration()));
    return go(-1, to, to);
  }

  // --- playing

  function play() {
    endSpan();
    return media.play();
  }

  function pause() {
    media.pause();
    endSpan();
  }

  function toggle() {
    if (media.paused) return play();
    pause();
    return Promise.resolve();
  }

  // Plays from start and stops at end, at the last frame before it.
  async function playSpan(start, end) {
    await seek(start);
    return new Promise((done, failed) => {
      span = { end, done };
      media.play().catch((error) => { if (error.name !== 'AbortError') { span = null; failed(error); } });
    });
  }

  function endSpan() {
    if (!span) return;
    const { done } = span;
    span = null;
    done(now());
  }

  async function checkSpan() {
    if (!span || goal || media.currentTime < span.end && !media.ended) return;
    const { end, done } = span;
    span = null;
    media.pause();
    if (isFilm && times.length) {
      const last = frameAt(end);
      await seekFrame(times[last] >= end && last > 0 ? last - 1 : last);
    } else {
      await go(-1, Math.min(end, duration()), Math.min(end, duration()));
    }
    done(now());
  }

  // While it plays, the clock is looked at before each repaint, and four times a second by
  // timeupdate even where nothing is painted.
  let painting = 0;
  function follow() {
    if (!canPresent) byClock();
    checkSpan();
    painting = media.paused ? 0 : requestAnimationFrame(follow);
  }
  on(media, 'play', () => { announce(); if (!painting) follow(); });
  on(media, 'pause', () => { if (!canPresent) byClock(); announce(); });
  on(media, 'timeupdate', () => { if (!canPresent && !goal) byClock(); checkSpan(); });
  on(media, 'ended', checkSpan);

  // --- shots

  const shots = [...root.querySelectorAll('[data-shot]')];
  function markShot() {
    let current = null;
    for (const shot of shots) if (Number(shot.dataset.seek) <= shown.time + 0.0005) current = shot;
    for (const shot of shots) {
      if (shot === current) shot.setAttribute('aria-current', 'true'); else shot.removeAttribute('aria-current');
    }
  }
  on(root, 'click', (event) => {
    const target = event.target.closest('[data-seek]');
    if (target && root.contains(target)) seek(target.dataset.seek);
  });

  // --- the waveform

  const canvas = root.querySelector('canvas');
  const perSecond = Number(root.dataset.rate) || 200;
  let peaks = new Uint8Array(0);
  let spans = [];
  let view = null; // {start, end}; null = all
  let columns = null; // the largest peak of each column of pixels, as drawn last

  function viewed() {
    return view || { start: 0, end: duration() || peaks.length / perSecond || 1 };
  }

  function colour(...names) {
    const style = getComputedStyle(root);
    for (const name of names) {
      const value = style.getPropertyValue(name).trim();
      if (value) return value;
    }
    return style.color;
  }

  function measure(width) {
    const { start, end } = viewed();
    if (columns && columns.length === width && columns.start === start && columns.end === end) return;
    columns = new Uint8Array(width);
    columns.start = start;
    columns.end = end;
    for (let x = 0; x < width; x++) {
      const from = Math.max(0, Math.floor((start + (end - start) * x / width) * perSecond));
      const to = Math.min(peaks.length, Math.max(from + 1, Math.floor((start + (end - start) * (x + 1) / width) * perSecond)));
      let most = 0;
      for (let i = from; i < to; i++) if (peaks[i] > most) most = peaks[i];
      columns[x] = most;
    }
  }

  function draw() {
    if (!canvas || !canvas.clientWidth) return;
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    const pen = canvas.getContext('2d');
    const { start, end } = viewed();
    const place = (seconds) => (seconds - start) / (end - start) * width;
    pen.clearRect(0, 0, width, height);
    drawSpans(pen, place, height, ratio);
    measure(width);
    pen.fillStyle = colour('--fg', '--ink');
    for (let x = 0; x < width; x++) {
      const tall = Math.max(1, columns[x] / 255 * height);
      pen.fillRect(x, (height - tall) / 2, 1, tall);
    }
    pen.fillStyle = colour('--bad', '--mark');
    pen.fillRect(Math.round(place(shown.time)) - ratio, 0, Math.ceil(2 * ratio), height);
  }

  function drawSpans(pen, place, height, ratio) {
    pen.font = `${11 * ratio}px system-ui, sans-serif`;
    pen.textBaseline = 'top';
    for (const { start, end, label } of spans) {
      const x = place(start);
      const wide = Math.max(2 * ratio, place(end) - x);
      pen.globalAlpha = 0.25;
      pen.fillStyle = colour('--good');
      pen.fillRect(x, 0, wide, height);
      pen.globalAlpha = 1;
      pen.fillRect(x, 0, ratio, height);
      pen.fillRect(x + wide - ratio, 0, ratio, height);
      if (label) pen.fillText(label, x + 3 * ratio, 2 * ratio, Math.max(1, wide - 5 * ratio));
    }
  }

  if (canvas) {
    on(canvas, 'click', (event) => {
      const box = canvas.getBoundingClientRect();
      const { start, end } = viewed();
      seek(start + (end - start) * (event.clientX - box.left) / box.width);
    });
    const resized = new ResizeObserver(draw);
    resized.observe(canvas);
    gone.signal.addEventListener('abort', () => resized.disconnect());
    on(window.matchMedia('(prefers-color-scheme: dark)'), 'change', draw);
    on(media, 'durationchange', draw);
  }

  // --- loading

  async function load(address) {
    const answer = await fetch(address, { signal: gone.signal });
    if (!answer.ok) throw new Error(`${address} cannot be loaded: ${answer.status} ${answer.statusText}`);
    return answer.arrayBuffer();
  }

  function opened() {
    if (media.readyState >= 2) return Promise.resolve();
    return new Promise((done, failed) => {
      on(media, 'loadeddata', done);
      const broken = () => failed(new Error(`this browser cannot play ${media.currentSrc || 'the file'}${media.error && media.error.message ? ': ' + media.error.message : ''}`));
      if (media.error) broken();
      on(media, 'error', broken);
    });
  }

  async function start() {
    const [frames, wave] = await Promise.all([
      isFilm && root.dataset.times ? load(root.dataset.times) : null,
      root.dataset.peaks ? load(root.dataset.peaks) : null,
      opened(),
    ]);
    if (frames) times = new Float64Array(frames);
    if (wave) peaks = new Uint8Array(wave);
    columns = null;
    byClock();
    announce();
  }

  if (canPresent) watch();
  const ready = start();
  ready.catch(() => {}); // who wants to know asks ready

  return {
    ready, play, pause, toggle, step, seek, playSpan, now, duration, frameAt,
    frames: () => times.length,
    timeOf: (frame) => times[frame],
    setSpans(list) { spans = [...list]; draw(); },
    setView(from, to) { view = to > from ? { start: from, end: to } : null; columns = null; draw(); },
    close() {
      gone.abort();
      media.pause();
      cancelAnimationFrame(painting);
      if (canPresent) media.cancelVideoFrameCallback(presentation);
    },
  };
}
