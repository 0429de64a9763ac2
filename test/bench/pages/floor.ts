import type { Map as GlMap } from 'maplibre-gl';
import type { IncidentColumns } from '../../../src-preload/contract/index.ts';
import { applyTheme } from '../../../src-renderer/design/theme.ts';
import { themes } from '../../../src-renderer/design/tokens.ts';
import { mapLayers } from '../../../src-renderer/map/style.ts';
import { benchFrame, benchTimes, severities } from '../data.ts';
import { createBareMap } from './bareMap.ts';
import { differences } from './differences.ts';
import type { FloorAct, PageCopy } from './floorApi.ts';

/**
 * What the console's page cannot do faster: a copy of its DOM that nothing but these few lines moves, over
 * a bare map of the same style. Each action makes the change that is seen in the console with the least
 * work: one pass over the columns, the texts of the rows on the screen, the map's own redraw.
 */
const filterMs = 100;
const bins = 168;

let listening = new AbortController();
let playing = new AbortController();
let held: { readonly map: GlMap; readonly columns: IncidentColumns; readonly kept: Uint32Array } | null =
  null;
const all = <E extends Element>(selector: string): E[] => [...document.querySelectorAll<E>(selector)];

function parts(): NonNullable<typeof held> {
  if (held === null) throw new Error('The floor shows nothing yet');
  return held;
}

async function show(copy: PageCopy, size: number): Promise<void> {
  await Promise.all(copy.styles.map(addStyles));
  const own = document.createElement('style');
  own.textContent = copy.ownStyles;
  document.head.append(own);
  for (const [name, value] of Object.entries(copy.root)) document.documentElement.setAttribute(name, value);
  document.body.innerHTML = copy.body;
  const [container] = all<HTMLElement>('[data-map-state]');
  if (!container) throw new Error('The copy has no map');
  container.replaceChildren();
  const points = new URL('points-10000.geojson', location.href).href;
  const map = createBareMap({ container, points, base: document.baseURI });
  await new Promise((resolve) => map.once('idle', resolve));
  await document.fonts.ready;
  held = { map, columns: benchFrame(size, 0, true).columns, kept: new Uint32Array(size) };
}

function addStyles(href: string): Promise<unknown> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  document.head.append(link);
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = reject;
  });
}

/** One pass over a column, and the rows on the screen say what it left. */
function pass(keeps: (columns: IncidentColumns, row: number) => boolean): void {
  const { columns, kept, map } = parts();
  let count = 0;
  for (let row = 0; row < columns.length; row += 1) {
    if (!keeps(columns, row)) continue;
    kept[count] = row;
    count += 1;
  }
  writeRows(kept.subarray(0, count));
  map.triggerRepaint();
}

function writeRows(rows: Uint32Array): void {
  const { columns } = parts();
  all('.list__row').forEach((element, at) => {
    const row = rows[at] ?? 0;
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const age = `${String((columns.createdAt[row] ?? 0) % 60)} min`;
    const values = [String(columns.key[row]), age, severities[columns.severity[row] ?? 0] ?? ''];
    for (const value of values) if (texts.nextNode()) (texts.currentNode as Text).data = value;
  });
}

const inWindow =
  (to: number) =>
  ({ createdAt }: IncidentColumns, row: number): boolean =>
    (createdAt[row] ?? 0) <= to;
const timeAt = (part: number): number => benchTimes.from + (benchTimes.to - benchTimes.from) * part;

/** Moves the brush's edge with its veil and filters; `part`: where it stands, 0 to 1. */
function moveEdge(part: number): void {
  const [surface] = all<HTMLElement>('.brush');
  const [, edge] = all<HTMLElement>('.brush__edge');
  if (edge) edge.style.transform = `translateX(${String(part * (surface?.clientWidth ?? 0))}px)`;
  pass(inWindow(timeAt(part)));
}

function holds(text: string): (columns: IncidentColumns, row: number) => boolean {
  const wanted = new TextEncoder().encode(text);
  return ({ idBytes, idOffsets }, row) => {
    const last = (idOffsets[row + 1] ?? 0) - wanted.length;
    for (let from = idOffsets[row] ?? 0; from <= last; from += 1) {
      let at = 0;
      while (at < wanted.length && idBytes[from + at] === wanted[at]) at += 1;
      if (at === wanted.length) return true;
    }
    return false;
  };
}

/** Ends what goes on by itself: it would slow down the other page, and what is measured next. */
function stop(): void {
  playing.abort();
}

/** What a replay's beginning brings to the page, ready to be put in place. */
interface ReplayParts {
  readonly timeline: readonly Element[];
  /** Makes room for the bar at the map's foot. */
  readonly deskStyle: string;
}

function replayParts({ body }: PageCopy): ReplayParts {
  const page = new DOMParser().parseFromString(body, 'text/html');
  const timeline = [...(page.querySelector('.timeline')?.children ?? [])];
  const deskStyle = page.querySelector<HTMLElement>('.desk__map')?.style.cssText ?? '';
  return { timeline: timeline.map((element) => document.adoptNode(element)), deskStyle };
}

function replay({ timeline, deskStyle }: ReplayParts): void {
  const [pane, desk] = [...all<HTMLElement>('.timeline'), ...all<HTMLElement>('.desk__map')];
  if (!pane || !desk) throw new Error('The copy has no timeline');
  const before = { children: [...pane.children], style: desk.style.cssText };
  pane.replaceChildren(...timeline);
  desk.style.cssText = deskStyle;
  playing = new AbortController();
  const { signal } = playing;
  signal.addEventListener('abort', () => {
    pane.replaceChildren(...before.children);
    desk.style.cssText = before.style;
  });
  const [head] = all<HTMLElement>('.brush__head');
  const began = performance.now();
  let filtered = 0;
  const frame = (now: number): void => {
    if (signal.aborted) return;
    const part = ((now - began) / 60_000) % 1;
    if (head) head.style.transform = `translateX(${String(part * 900)}px)`;
    if (now - filtered >= filterMs) {
      filtered = now;
      pass(inWindow(timeAt(part)));
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function sort(descending: boolean): void {
  const { columns, kept } = parts();
  const { createdAt } = columns;
  for (let row = 0; row < kept.length; row += 1) kept[row] = row;
  const way = descending ? -1 : 1;
  kept.sort((a, b) => way * ((createdAt[a] ?? 0) - (createdAt[b] ?? 0)));
  writeRows(kept);
}

function turnTheme(name: 'day' | 'night'): void {
  const { map } = parts();
  applyTheme(document.documentElement, name);
  for (const { id, paint } of mapLayers(themes[name], 1)) {
    if (!map.getLayer(id)) continue;
    for (const [property, value] of Object.entries(paint ?? {}))
      map.setPaintProperty(id, property as 'fill-color', value);
  }
}

function act(wanted: FloorAct, other?: PageCopy): void {
  listening.abort();
  listening = new AbortController();
  const { signal } = listening;
  const on = (type: string, selector: string, run: (event: Event) => void): void => {
    document.addEventListener(
      type,
      (event) => {
        if (event.target instanceof Element && event.target.closest(selector)) run(event);
      },
      { signal },
    );
  };
  let turned = false;
  let edge = bins;
  switch (wanted) {
    case 'find':
      on('input', '[data-search]', ({ target }) => {
        pass(holds((target as HTMLInputElement).value));
      });
      break;
    case 'brush':
      on('pointermove', '.brush', (event) => {
        const box = all('.brush')[0]?.getBoundingClientRect();
        const { clientX, buttons } = event as PointerEvent;
        if (box && buttons === 1) moveEdge((clientX - box.left) / box.width);
      });
      on('keydown', '.brush', () => {
        edge -= 1;
        moveEdge(edge / bins);
      });
      break;
    case 'replay': {
      if (!other) throw new Error('The floor needs the page with a replay');
      const begun = replayParts(other);
      on('click', '.timeline__start', () => {
        replay(begun);
      });
      break;
    }
    case 'sort':
      on('click', '.order .option', () => {
        turned = !turned;
        sort(!turned);
      });
      break;
    case 'theme':
      on('click', '.rail__item', () => {
        turnTheme(document.documentElement.dataset['theme'] === 'day' ? 'night' : 'day');
      });
      break;
    case 'language': {
      if (!other) throw new Error('The floor needs the page in the other language');
      const yielding = differences(document, other);
      on('change', '#settings-language', () => {
        turned = !turned;
        for (const { change } of yielding) change(turned);
      });
      break;
    }
  }
}

window.floor = { show, act, stop };
