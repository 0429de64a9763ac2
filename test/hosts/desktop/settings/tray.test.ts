import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sirenAtStart } from '../../../../src-main/core/features/alarms/alarmsState.ts';
import { defaultPreferences } from '../../../../src-main/core/features/preferences/preferences.ts';
import { keepTray } from '../../../../src-main/hosts/desktop/settings/tray.ts';
import {
  trayStateOf,
  type TrayKind,
  type TraySlices,
} from '../../../../src-main/hosts/desktop/settings/trayState.ts';
import { createWords } from '../../../../src-main/hosts/desktop/words.ts';
import type { ApiConnection } from '../../../../src-preload/contract/index.ts';
import { createRecordingLogger } from '../../../support/ports.ts';
import { FakeConsole } from '../../support/console.ts';
import { FakeApp } from '../fake/app.ts';
import { FakePlacedWindow } from '../fake/placedWindow.ts';
import { FakeTraySystem } from '../fake/tray.ts';

const api = (state: ApiConnection['state']): ApiConnection => ({ state, since: 0, failure: null });
const online: TraySlices = {
  app: {
    version: '0.0.0',
    host: 'desktop',
    training: false,
    severities: null,
    closedStatuses: [],
    problem: null,
  },
  connection: { infrastructure: api('online'), coordination: api('online') },
  session: { vault: 'open', session: { state: 'active', expiresAt: 1 }, username: 'ann@field' },
  lock: { locked: false, username: null, deploymentName: null, throttledUntil: null },
  siren: sirenAtStart,
};
const lock = { locked: true, username: 'ann@field', deploymentName: 'North Ridge', throttledUntil: null };
const kinds: readonly TrayKind[] = ['alarms', 'locked', 'idle', 'offline', 'degraded', 'online'];

function shown(platform: NodeJS.Platform = 'linux', prepare: (system: FakeTraySystem) => void = () => {}) {
  const system = new FakeTraySystem();
  prepare(system);
  const console = new FakeConsole();
  const window = new FakePlacedWindow();
  const logger = createRecordingLogger();
  const tell = (change: Partial<TraySlices> = {}): void => {
    const slices = { ...online, ...change };
    console.tell('app', slices.app);
    console.tell('connection', slices.connection);
    console.tell('session', slices.session);
    console.tell('lock', slices.lock);
    console.tell('siren', slices.siren);
  };
  const words = createWords(new FakeApp([]));
  const attached = keepTray({ electron: system.asElectron(), window, console, logger, platform, words });
  console.tell('preferences', defaultPreferences);
  return { system, console, window, logger, words, tell, attached };
}
const pixelsOf = (png: Buffer | undefined): string =>
  inflateSync(png?.subarray(41, png.byteLength - 16) ?? Buffer.alloc(0)).toString('base64');

test.each<[string, Partial<TraySlices>, TrayKind, string]>([
  ['all is well', {}, 'online', 'Field Console · Online'],
  [
    'the infrastructure API is cut off',
    { connection: { infrastructure: api('offline'), coordination: api('online') } },
    'offline',
    'Field Console · Offline',
  ],
  [
    'nothing was answered yet',
    { connection: { infrastructure: api('unknown'), coordination: api('unknown') } },
    'offline',
    'Field Console · Offline',
  ],
  [
    'coordination is cut off',
    { connection: { infrastructure: api('online'), coordination: api('offline') } },
    'degraded',
    'Field Console · Degraded',
  ],
  [
    'coordination was not asked yet',
    { connection: { infrastructure: api('online'), coordination: api('unknown') } },
    'online',
    'Field Console · Online',
  ],
  [
    'the session was rejected',
    { session: { ...online.session, session: { state: 'none', ended: 'forgotten' } } },
    'degraded',
    'Field Console · Degraded',
  ],
  [
    'the session is renewed',
    { session: { ...online.session, session: { state: 'renewing', expiresAt: null } } },
    'online',
    'Field Console · Online',
  ],
  [
    'nobody is signed in',
    {
      session: { vault: 'closed', session: { state: 'none', ended: 'signed-out' }, username: null },
      siren: { ...sirenAtStart, unacknowledged: 3 },
    },
    'idle',
    'Field Console · Not signed in',
  ],
  ['it is locked', { lock }, 'locked', 'Field Console · Online · Locked'],
  [
    'an alarm waits',
    { siren: { ...sirenAtStart, unacknowledged: 1 } },
    'alarms',
    'Field Console · 1 alarm to acknowledge · Online',
  ],
  [
    'alarms wait while it is locked in training',
    { lock, siren: { ...sirenAtStart, unacknowledged: 12 }, app: { ...online.app, training: true } },
    'alarms',
    'Field Console · Training · 12 alarms to acknowledge · Online · Locked',
  ],
])('the tray says that %s', (_what, change, kind, tooltip) => {
  const state = trayStateOf({ ...online, ...change }, createWords(new FakeApp([])));
  expect(state).toEqual({ kind, tooltip, lockable: kind !== 'idle' && !(change.lock?.locked ?? false) });
});

test('no name of an operator, a deployment or a severity is ever in the tray', () => {
  const { system, tell } = shown();
  tell({
    lock,
    siren: { ...sirenAtStart, unacknowledged: 2, worstSeverity: 'critical', severity: 'critical' },
  });
  const said = JSON.stringify(system.shown);
  for (const secret of ['ann', 'North', 'critical']) expect(said).not.toContain(secret);
});

/** The pixels of one of the images as RGBA rows; they are written without filters. */
function drawn(kind: TrayKind, size: number, ending = ''): Uint8Array {
  const png = readFileSync(`src-main/hosts/desktop/settings/tray/${kind}-${size}${ending}.png`);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
  const rows = inflateSync(png.subarray(41, png.byteLength - 16));
  return rows.filter((_value, at) => at % (size * 4 + 1) !== 0);
}

test.each([
  [16, ''],
  [22, ''],
  [32, ''],
  [44, ''],
  [16, '-template'],
  [32, '-template'],
] as const)('each state differs from every other by shape alone, at %i pixels%s', (size, ending) => {
  const shapes = kinds.map((kind) => drawn(kind, size, ending).filter((_value, at) => at % 4 === 3));
  for (const [at, shape] of shapes.entries()) {
    for (const other of shapes.slice(at + 1)) {
      const apart = shape.filter((value, pixel) => Math.abs(value - (other[pixel] ?? 0)) > 128).length;
      expect(apart).toBeGreaterThan((size * size) / 12);
    }
  }
});

test('each state has a colour of its own, and a template has none', () => {
  const colourOf = (kind: TrayKind): string => drawn(kind, 16).subarray(0, 3).join();
  expect(new Set(kinds.map(colourOf)).size).toBe(kinds.length);
  const template = drawn('alarms', 16, '-template');
  expect(template.filter((value, at) => at % 4 !== 3 && value > 0)).toHaveLength(0);
});

test('image, words and menu follow the console; what did not change is not drawn again', () => {
  const { system, tell } = shown();
  expect(system.trays).toEqual([]);
  tell();
  const tray = system.shown;
  expect(tray?.tooltip).toBe('Field Console · Online');
  expect([...(tray?.image.pngs.keys() ?? [])]).toEqual([1, 2]);
  const before = tray?.image;
  tell({ connection: { infrastructure: { ...api('online'), since: 5 }, coordination: api('online') } });
  expect(tray?.image).toBe(before);
  tell({ lock });
  expect(tray?.tooltip).toBe('Field Console · Online · Locked');
  expect(pixelsOf(tray?.image.pngs.get(2))).not.toBe(pixelsOf(before?.pngs.get(2)));
  const locked = tray?.image;
  // Other words for the same state need no other image.
  tell({ lock, connection: { infrastructure: api('offline'), coordination: api('offline') } });
  expect(tray?.tooltip).toBe('Field Console · Offline · Locked');
  expect(tray?.image).toBe(locked);
  expect(system.trays).toHaveLength(1);
});

test('the menu shows the window, locks and quits; there is nothing to lock twice', () => {
  const { system, console, window, tell } = shown();
  tell();
  expect(system.shown?.menu.map(({ label }) => label)).toEqual([
    'Show Field Console',
    'Lock',
    undefined,
    'Quit',
  ]);
  system.choose('Lock');
  expect(console.calls).toEqual([{ verb: 'lock', request: {} }]);
  tell({ lock });
  system.choose('Lock');
  expect(console.calls).toHaveLength(1);
  window.minimised = true;
  system.choose('Show Field Console');
  expect(window.done).toEqual(['restore', 'show', 'focus']);
  system.choose('Quit');
  expect(window.done.at(-1)).toBe('close');
});

test('it is in the page’s language, also after another one was chosen', () => {
  const { system, words, tell } = shown();
  tell({ siren: { ...sirenAtStart, unacknowledged: 2 } });
  words.use('es');
  expect(system.shown?.tooltip).toBe('Field Console · 2 alarmas por reconocer · En línea');
  expect(system.shown?.menu.map(({ label }) => label)).toEqual([
    'Mostrar Field Console',
    'Bloquear',
    undefined,
    'Salir',
  ]);
});

test('a click shows the window but on macOS, where it opens the menu and the image is a template', () => {
  for (const platform of ['linux', 'win32', 'darwin'] as const) {
    const { system, window, tell } = shown(platform);
    tell();
    system.shown?.click();
    expect(window.done).toEqual(platform === 'darwin' ? [] : ['show', 'focus']);
    expect(system.shown?.image.template).toBe(platform === 'darwin');
    const sizes = [...(system.shown?.image.pngs.values() ?? [])].map((png) => png.readUInt32BE(16));
    expect(sizes).toEqual(platform === 'linux' ? [22, 44] : [16, 32]);
    window.destroyed = true;
    window.done.length = 0;
    system.shown?.click();
    expect(window.done).toEqual([]);
  }
});

test('it comes and goes with the preference, and goes with the window', () => {
  const { system, console, tell, attached } = shown();
  tell();
  console.tell('preferences', { ...defaultPreferences, tray: false });
  expect(system.shown).toBeUndefined();
  tell({ lock });
  expect(system.trays).toHaveLength(1);
  console.tell('preferences', defaultPreferences);
  expect(system.shown?.tooltip).toBe('Field Console · Online · Locked');
  attached.close();
  expect(system.shown).toBeUndefined();
  tell();
  expect(system.trays).toHaveLength(2);
});

test('a system without a tray is asked once, and nothing else suffers', () => {
  const { system, console, logger, tell, attached } = shown('linux', (fake) => {
    fake.refuses = true;
  });
  tell();
  tell({ lock });
  console.tell('preferences', { ...defaultPreferences, tray: false });
  console.tell('preferences', defaultPreferences);
  attached.close();
  expect(logger.lines.map(({ event }) => event)).toEqual(['tray-missing']);
  expect(system.trays).toEqual([]);
});
