import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseArguments, type Arguments } from '../../src-main/hosts/arguments.ts';

const folder = resolve('/station');
const parse = (argv: string[], environment: Record<string, string> = {}): Arguments =>
  parseArguments({ argv, environment, workingFolder: folder });

describe('arguments', () => {
  it('mean training on a free port with a browser when there are none', () => {
    expect(parse([])).toEqual({
      kind: 'run',
      options: {
        named: [],
        opened: null,
        dataDir: null,
        port: 0,
        open: true,
        training: false,
        browser: null,
        policy: null,
        kiosk: 'off',
        selfTest: false,
        selfTestReport: null,
        supervised: false,
      },
    });
  });

  it('are read in both spellings, with paths made absolute', () => {
    const expected = {
      kind: 'run',
      options: {
        named: [{ source: 'command-line', path: resolve(folder, 'a.json') }],
        opened: null,
        dataDir: resolve(folder, 'data'),
        port: 4321,
        open: false,
        training: false,
        browser: resolve(folder, 'chromium'),
        policy: resolve(folder, 'policy.json'),
        kiosk: 'off',
        selfTest: false,
        selfTestReport: null,
        supervised: false,
      },
    };
    const values = {
      '--deployment': 'a.json',
      '--data-dir': 'data',
      '--port': '4321',
      '--policy': 'policy.json',
      '--browser': 'chromium',
    };
    const apart = Object.entries(values).flat();
    expect(parse([...apart, '--no-open'])).toEqual(expected);
    const joined = Object.entries(values).map(([name, value]) => `${name}=${value}`);
    expect(parse([...joined, '--no-open'])).toEqual(expected);
  });

  it('take the file to open as a path or as an address, as desktops hand it over', () => {
    const file = resolve('/station/a map.pmtiles');
    const address = pathToFileURL(file).href;
    expect(address).toContain('%20');
    expect(parse([address])).toMatchObject({ options: { opened: file } });
    expect(parse(['a map.pmtiles'])).toMatchObject({ options: { opened: file } });
    expect(parse(['file://another-computer%2Fshare/a'])).toMatchObject({ kind: 'refused' });
  });

  it('come before the environment, and both deployments are named', () => {
    const environment = { FIELD_CONSOLE_DEPLOYMENT: 'b.json', FIELD_CONSOLE_DATA_DIR: '/elsewhere' };
    expect(parse(['--deployment', 'a.json', '--data-dir', '/here'], environment)).toMatchObject({
      options: {
        named: [
          { source: 'command-line', path: resolve(folder, 'a.json') },
          { source: 'environment', path: resolve(folder, 'b.json') },
        ],
        dataDir: '/here',
      },
    });
    expect(parse([], environment)).toMatchObject({
      options: { named: [{ source: 'environment' }], dataDir: '/elsewhere' },
    });
  });

  it('let --training outrank the environment but not a deployment beside it', () => {
    expect(parse(['--training'], { FIELD_CONSOLE_DEPLOYMENT: 'b.json' })).toMatchObject({
      options: { named: [], training: true },
    });
    expect(parse(['--training', '--deployment', 'a.json']).kind).toBe('refused');
  });

  it('take one file to open, as the system gives it on a double click', () => {
    expect(parse(['station.json'])).toMatchObject({
      options: { opened: resolve(folder, 'station.json'), named: [] },
    });
    expect(parse(['a.json', 'b.json']).kind).toBe('refused');
  });

  it('ask for a kiosk, a wallboard or a self-test', () => {
    expect(parse(['--kiosk'])).toMatchObject({ options: { kiosk: 'operator', policy: null } });
    expect(parse(['--wallboard'])).toMatchObject({ options: { kiosk: 'wallboard' } });
    expect(parse(['--kiosk', '--wallboard']).kind).toBe('refused');
    expect(parse(['--self-test'])).toMatchObject({
      options: { selfTest: true, selfTestReport: null, supervised: false },
    });
    const report = { selfTest: true, selfTestReport: resolve(folder, 'report.json') };
    expect(parse(['--self-test-report', 'report.json'])).toMatchObject({ options: report });
    expect(parse(['--self-test-report='])).toMatchObject({ kind: 'refused' });
    expect(parse(['--kiosk', '--supervised'])).toMatchObject({ options: { supervised: true } });
  });

  it('never take a policy or a kiosk from the environment', () => {
    const environment = { FIELD_CONSOLE_POLICY: '/p.json', FIELD_CONSOLE_KIOSK: 'operator' };
    expect(parse([], environment)).toEqual(parse([]));
  });

  it('ask for the version and for help', () => {
    expect(parse(['--version'])).toEqual({ kind: 'version' });
    expect(parse(['--help', '--version'])).toEqual({ kind: 'help' });
  });

  it.each([
    [['--deployment'], '--deployment needs a value.'],
    [['--deployment', '--no-open'], '--deployment needs a value.'],
    [['--deployment', ''], '--deployment needs a value.'],
    [['--data-dir='], '--data-dir needs a value.'],
    [['--port', '65536'], '--port needs a number from 0 to 65535.'],
    [['--port', '1e3'], '--port needs a number from 0 to 65535.'],
    [['--port', ''], '--port needs a number from 0 to 65535.'],
    [['--no-open=1'], '--no-open takes no value.'],
    [['--kiosk=operator'], '--kiosk takes no value.'],
    [['--self-test=1'], '--self-test takes no value.'],
    [['--policy'], '--policy needs a value.'],
    [['--policy='], '--policy needs a value.'],
    [['--headless'], 'Unknown option --headless.'],
    [['--deployment', 'a', '--hunter=2'], 'Unknown option --hunter.'],
    [['-x'], 'Unknown option.'],
  ])('%j are refused', (argv, sentence) => {
    expect(parse(argv)).toEqual({ kind: 'refused', sentence });
  });

  it.each([
    ['--password=hunter2'],
    ['--password', 'hunter2'],
    ['--username', 'hunter2'],
    ['-p', 'hunter2'],
    ['--token=hunter2'],
    ['--api-key=hunter2'],
  ])('never take credentials: %s %s', (...argv) => {
    const refused = parse(argv.filter((argument) => argument !== undefined));
    expect(refused).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('Credentials') as string,
    });
    expect(JSON.stringify(refused)).not.toContain('hunter2');
  });

  it.each(['FIELD_CONSOLE_DEPLOYMENT', 'FIELD_CONSOLE_DATA_DIR'])('refuse an empty %s', (name) => {
    expect(parse([], { [name]: '' })).toEqual({ kind: 'refused', sentence: `${name} is set but empty.` });
  });
});
