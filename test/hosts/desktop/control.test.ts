import { beforeEach, describe, expect, it } from 'vitest';
import { createDesktopControl } from '../../../src-main/hosts/desktop/control.ts';
import { trackSystem, type TrackedSystem } from '../../../src-main/hosts/desktop/systemState.ts';
import { systemAtRest } from '../../../src-preload/contract/index.ts';
import { FakeElectron } from './fake/electron.ts';
import { display } from './fake/screen.ts';

let fake: FakeElectron;
let lost: string[];
let opened: string[];
let system: TrackedSystem;

beforeEach(() => {
  fake = new FakeElectron();
  lost = [];
  opened = [];
  system = trackSystem(systemAtRest);
});

describe('what the desktop does for its console', () => {
  const control = (platform: NodeJS.Platform, versions: Record<string, string> = {}) =>
    createDesktopControl({
      electron: fake.asElectron(),
      platform,
      versions,
      desktop: null,
      updates: null,
      system,
      crashDumps: { describe: () => 'none' },
      workerLost: (name) => void lost.push(name),
      openWindow: (show) => void opened.push(show),
    });
  const facts = async (platform: NodeJS.Platform, versions?: Record<string, string>) =>
    new Map((await control(platform, versions).facts()).map(({ name, value }) => [name, value]));

  it('knows what it runs on', async () => {
    fake.app.commandLine.appendSwitch('enable-unsafe-swiftshader');
    fake.screen.displays = [1, 2].map((id) => display(id, { x: 0, y: 0, width: 800, height: 600 }));
    const known = await facts('linux', { electron: '45.4.1', chrome: '156.0', v8: '15.6', node: '24.1' });
    expect(Object.fromEntries(known)).toMatchObject({
      Electron: '45.4.1',
      Chromium: '156.0',
      V8: '15.6',
      Node: '24.1',
      'Language of the system': 'de-AT',
      Displays: '2',
      'Sandbox of the page': 'on',
      'Secrets kept by the system': 'gnome_libsecret (not used)',
    });
    expect(known.get('Graphics')).toContain('webgl2: enabled');
    expect(known.get('Graphics')).toContain('gpu_compositing: disabled_software');
  });

  it('says what is missing, and keeps to the length of a fact', async () => {
    fake.app.switches.add('no-sandbox');
    const known = await facts('darwin', { electron: 'x'.repeat(900) });
    expect(known.get('Electron')).toHaveLength(512);
    expect(known.get('Chromium')).toBe('unknown');
    expect(known.get('Sandbox of the page')).toBe('off');
    expect(known.get('Secrets kept by the system')).toBe('keychain (not used)');
    // A locked key store is not asked: it would keep the page waiting (fact 22).
    const words = {
      waiting: 'keychain (has not answered)',
      closed: 'keychain (did not open)',
      open: 'keychain',
    };
    for (const keyStore of ['waiting', 'closed', 'open'] as const) {
      system.change({ keyStore });
      expect((await facts('darwin')).get('Secrets kept by the system')).toBe(words[keyStore]);
    }
  });

  it('says what draws the map, since when, and what the next start does', async () => {
    expect((await facts('linux')).get('Map drawn by')).toBe('the graphics processor where there is one');
    system.retryGraphics();
    expect(system.state().gpuNextStart).toBe(false);
    system.change({ gpuOffSince: Date.UTC(2026, 10, 22, 14, 2) });
    const software =
      'the processor since 2026-11-22T14:02:00.000Z: the graphics processor failed 3 times; it is';
    expect((await facts('linux')).get('Map drawn by')).toBe(`${software} tried again after a week`);
    const heard: boolean[] = [];
    const stops = [
      system.watch(({ gpuNextStart }) => heard.push(gpuNextStart)),
      system.onRetryGraphics(() => heard.push(false)),
    ];
    control('linux').system?.retryGraphics();
    for (const stop of stops) stop();
    system.retryGraphics();
    expect(heard).toEqual([false, true]);
    expect((await facts('linux')).get('Map drawn by')).toBe(`${software} used again from the next start`);
  });

  it('starts again where the operator wants it', () => {
    let restarts = 0;
    const stop = system.onRestart(() => (restarts += 1));
    control('linux').system?.restart();
    stop();
    system.restart();
    expect(restarts).toBe(1);
  });

  it('hears of threads that are lost', () => {
    control('linux').workerLost?.('cache');
    expect(lost).toEqual(['cache']);
  });

  it('opens a second window itself, so that the page has no address to open', () => {
    expect(control('linux').openWindow?.('map')).toBeNull();
    expect(opened).toEqual(['map']);
  });

  it('leaves by quitting', () => {
    control('linux').leave();
    expect(fake.app.quits).toBe(1);
    expect(fake.app.exits).toEqual([0]);
  });
});
