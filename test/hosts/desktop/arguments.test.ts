import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../src-main/hosts/arguments.ts';
import { readDesktopArguments, refusal } from '../../../src-main/hosts/desktop/arguments.ts';

type Given = Parameters<typeof readDesktopArguments>[0];
const read = (argv: readonly string[], change: Partial<Given> = {}) =>
  readDesktopArguments({
    argv: ['console', ...argv],
    packaged: true,
    driven: false,
    platform: 'linux',
    unsandboxed: false,
    ...change,
  });

/** What becomes of a start, as desktop.ts decides it. */
const isRefused = (argv: readonly string[], change: Partial<Given> = {}): boolean => {
  const { own, refused } = read(argv, change);
  if (refused.length > 0) return true;
  return parseArguments({ argv: own, environment: {}, workingFolder: '/' }).kind === 'refused';
};

const opening = [
  '--remote-debugging-port=9222',
  '--remote-debugging-port',
  '--remote-debugging-pipe',
  '--remote-debugging-address=0.0.0.0',
  '--remote-allow-origins=*',
  '--js-flags=--expose-gc',
  '--load-extension=/tmp/x',
  '--disable-extensions-except=/tmp/x',
  '--inspect',
  '--inspect=0',
  '--inspect-brk=9229',
  '--inspect-port=0',
  '--inspect-publish-uid=http',
  '--host-rules=MAP * 127.0.0.1',
  '--host-resolver-rules=MAP * 127.0.0.1',
  '--proxy-server=http://127.0.0.1:8080',
  '--proxy-pac-url=http://evil.example/x.pac',
  '--proxy-bypass-list=*',
  '--no-proxy-server',
  '--no-sandbox',
  '--no-zygote',
  '--disable-setuid-sandbox',
  '--disable-gpu-sandbox',
  '--disable-web-security',
  '--disable-site-isolation-trials',
  '--disable-features=IsolateOrigins',
  '--enable-features=x',
  '--enable-blink-features=x',
  '--enable-logging=file',
  '--log-file=/tmp/x',
  '--log-net-log=/tmp/x',
  '--ssl-key-log-file=/tmp/x',
  '--ssl-version-min=tls1',
  '--ignore-certificate-errors',
  '--ignore-certificate-errors-spki-list=x',
  '--allow-running-insecure-content',
  '--allow-file-access-from-files',
  '--unsafely-treat-insecure-origin-as-secure=http://x',
  '--user-data-dir=/tmp/x',
  '--renderer-cmd-prefix=/tmp/x',
  '--utility-cmd-prefix=/tmp/x',
  '--gpu-launcher=/tmp/x',
  '--single-process',
  '--auth-server-allowlist=*',
  '--trace-startup',
];

describe('a shipped console', () => {
  it.each(opening)('does not start with %s, whatever its spelling', (argument) => {
    expect(read([argument]).refused).toEqual([argument.slice(2).split('=')[0]]);
    for (const spelled of [argument.slice(1), argument.toUpperCase()]) {
      expect(isRefused([spelled]), spelled).toBe(true);
    }
    expect(isRefused([argument.slice(1).replace('-', '/')], { platform: 'win32' })).toBe(true);
    expect(isRefused(['--training', '--', argument]), 'after --').toBe(true);
  });

  it.each([
    '--unheard-of',
    '--unheard-of=1',
    '-x',
    '--ozone-platform=headless',
    '--disable-gpu=1',
    '--password-store=basic',
    '-psn_x',
  ])('does not start with the unknown %s either', (argument) => {
    expect(isRefused([argument])).toBe(true);
  });

  it.each([
    '--ozone-platform=wayland',
    '--ozone-platform-hint=auto',
    '--disable-gpu',
    '--force-device-scale-factor=1.25',
    '--password-store=gnome-libsecret',
    '--updated',
    '-psn_0_12345',
  ])('starts with %s, which opens nothing', (argument) => {
    expect(read([argument, '--training'])).toEqual({ own: ['--training'], link: null, refused: [] });
  });

  it('takes a slash for a switch on Windows only', () => {
    expect(read(['/station.json'])).toMatchObject({ own: ['/station.json'], refused: [] });
    expect(read(['/remote-debugging-port=1'], { platform: 'win32' }).refused).toEqual([
      'remote-debugging-port',
    ]);
    expect(read(['C:\\a.json'], { platform: 'win32' })).toMatchObject({ own: ['C:\\a.json'], refused: [] });
  });

  it('says which switch it does not start with, and no value', () => {
    const { refused } = read(['--js-flags=secret', '--js-flags', '--host-rules; secret=1']);
    expect(refusal(refused)).toBe(
      'The installed Field Console does not start with --js-flags, an unknown switch.',
    );
  });
});

describe('a console that is driven by tests, or run unpacked', () => {
  it('starts with what a driver adds where the inspector already listens', () => {
    const argv = ['--no-sandbox', '--inspect=0', '--remote-debugging-port=0', '--training'];
    expect(read(argv, { driven: true })).toEqual({ own: ['--training'], link: null, refused: [] });
    expect(read(argv, { driven: false }).refused).toHaveLength(3);
  });

  it('leaves out the path of the main file', () => {
    expect(read(['--inspect=0', 'out/main/desktop.js', '--training'], { packaged: false })).toEqual({
      own: ['--training'],
      link: null,
      refused: [],
    });
  });

  it('is known by an inspector that really listens: to ask for one is not enough', () => {
    const script = `process.stdout.write(String(require('node:inspector').url()))`;
    const url = (args: readonly string[]): string =>
      spawnSync(process.execPath, args, { encoding: 'utf8', env: {} }).stdout;
    expect(url(['--inspect=127.0.0.1:0', '-e', script])).toMatch(/^ws:\/\/127\.0\.0\.1:/);
    // After the script's end `--inspect` is only text, as it is where the fuse is off.
    expect(url(['-e', script, '--', '--inspect=0'])).toBe('undefined');
  });
});

describe('links', () => {
  it('are taken out before the rest is read, wherever they stand', () => {
    expect(read(['--training', 'field-console://open?deployment=a'])).toEqual({
      own: ['--training'],
      link: 'field-console://open?deployment=a',
      refused: [],
    });
    expect(read(['--', 'FIELD-CONSOLE://open'])).toMatchObject({ own: ['--'], link: 'FIELD-CONSOLE://open' });
    expect(read([`field-console://${'x'.repeat(3_000)}`])).toMatchObject({ own: [], link: null });
  });

  it('bring no switch along', () => {
    expect(isRefused(['--', 'field-console://x', '--remote-debugging-port=1'])).toBe(true);
    expect(isRefused(['field-console://x', '--inspect'])).toBe(true);
  });
});
