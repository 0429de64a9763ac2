import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import { noPolicy } from '../../../../src-main/core/features/policy/policy.ts';
import { nextUpdateState, type UpdateEvent } from '../../../../src-main/core/features/updates/machine.ts';
import { offerOf } from '../../../../src-main/core/features/updates/updates.ts';
import { isPlainName } from '../../../../src-main/core/features/updates/plainName.ts';
import { isAmong } from '../../../../src-main/core/features/updates/release.ts';
import { readTrust } from '../../../../src-main/core/features/updates/trust.ts';
import { compareVersions, isVersion } from '../../../../src-main/core/features/updates/version.ts';
import type { UpdatesState } from '../../../../src-preload/contract/index.ts';
import { makeKey, trustIn } from './releases.ts';

const release = { version: '1.1.0', bytes: 5, releasedAt: 0 };
const failure = makeFailure({ code: 'update-refused', at: 0 });
type State = UpdatesState['state'];

const states: Readonly<Record<State['kind'], State>> = {
  idle: { kind: 'idle' },
  checking: { kind: 'checking' },
  current: { kind: 'current' },
  available: { kind: 'available', release },
  taking: { kind: 'taking', release, bytes: 2 },
  ready: { kind: 'ready', release },
  installing: { kind: 'installing', release },
  refused: { kind: 'refused', failure },
};
const events: Readonly<Record<UpdateEvent['kind'], UpdateEvent>> = {
  check: { kind: 'check' },
  nothing: { kind: 'nothing' },
  found: { kind: 'found', release },
  take: { kind: 'take', release },
  progress: { kind: 'progress', bytes: 4 },
  taken: { kind: 'taken' },
  install: { kind: 'install' },
  refuse: { kind: 'refuse', failure },
  dismiss: { kind: 'dismiss' },
};
/** Every event that happens, and where it leads; anything else does not happen. */
const table: Readonly<Record<State['kind'], Partial<Record<UpdateEvent['kind'], State['kind']>>>> = {
  idle: { check: 'checking', found: 'available', refuse: 'refused', dismiss: 'idle' },
  checking: {
    nothing: 'current',
    found: 'available',
    take: 'taking',
    refuse: 'refused',
    dismiss: 'idle',
  },
  current: { check: 'checking', found: 'available', refuse: 'refused', dismiss: 'idle' },
  available: { check: 'checking', take: 'taking', dismiss: 'idle' },
  taking: { progress: 'taking', taken: 'ready', refuse: 'refused', dismiss: 'idle' },
  ready: { install: 'installing', refuse: 'refused', dismiss: 'idle' },
  installing: { refuse: 'refused' },
  refused: { check: 'checking', dismiss: 'idle' },
};

describe('the machine of updates', () => {
  it('knows every transition, and no other', () => {
    for (const [kind, state] of Object.entries(states)) {
      for (const [name, event] of Object.entries(events)) {
        const expected = table[state.kind][event.kind] ?? null;
        expect(nextUpdateState(state, event)?.kind ?? null, `${kind} --${name}-->`).toBe(expected);
      }
    }
    expect(nextUpdateState(states.taking, events.progress)).toEqual({ kind: 'taking', release, bytes: 4 });
    expect(nextUpdateState(states.taking, events.taken)).toEqual({ kind: 'ready', release });
  });
});

describe('versions', () => {
  it('come in the order of Semantic Versioning', () => {
    const ordered = [
      '0.9.0',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.1',
      '1.2.0',
      '1.10.0',
      '2.0.0',
    ];
    for (const [at, a] of ordered.entries()) {
      for (const [against, b] of ordered.entries()) {
        expect(Math.sign(compareVersions(a, b) ?? NaN), `${a} ${b}`).toBe(Math.sign(at - against));
      }
    }
    expect(compareVersions('1.0.0+build.1', '1.0.0+build.2')).toBe(0);
  });

  it('are nothing else', () => {
    const others = [
      '',
      '1',
      '1.0',
      'v1.0.0',
      '01.0.0',
      '1.0.0-',
      '1.0.0-01',
      '1.0.0 ',
      `1.0.0-${'a'.repeat(64)}`,
    ];
    for (const text of others) expect(isVersion(text), text).toBe(false);
    expect(compareVersions('1.0', '1.0.0')).toBeNull();
  });
});

describe('names of packages', () => {
  it('are plain on every system', () => {
    for (const name of [
      'release.json',
      'field-console_1.0.0_amd64.deb',
      'A.AppImage',
      'x+y.zip',
      'console.exe',
    ]) {
      expect(isPlainName(name), name).toBe(true);
    }
    const others = [
      '',
      '.',
      '..',
      '.hidden',
      '../x.deb',
      'a/../x',
      'a/b',
      '/etc/passwd',
      'a\\b',
      '..\\x',
      'C:x',
      'C:\\x',
      '\\\\server\\share',
      'x.deb:stream',
      'x\0.deb',
      'x\n',
      'con',
      'CON.deb',
      'nul.AppImage',
      'com1.exe',
      'LPT9.zip',
      'x.',
      'x..deb',
      'x deb',
      '%2e%2e%2fx',
      '~x',
      '-rf',
      'ü.deb',
      'a'.repeat(129),
    ];
    for (const name of others) expect(isPlainName(name), JSON.stringify(name)).toBe(false);
  });
});

describe('a rollout', () => {
  const ids = Array.from({ length: 2_000 }, (_, id) => id.toString(16).padStart(32, '0'));

  it('reaches about its share, all of it and none of it', () => {
    const share = ids.filter((id) => isAmong(20, id, 11)).length / ids.length;
    expect(share).toBeGreaterThan(0.17);
    expect(share).toBeLessThan(0.23);
    expect(ids.filter((id) => isAmong(100, id, 11))).toHaveLength(ids.length);
    expect(ids.filter((id) => isAmong(0, id, 11))).toEqual([]);
  });

  it('keeps who it has reached when it is raised, and begins elsewhere with the next release', () => {
    for (const id of ids) if (isAmong(10, id, 11)) expect(isAmong(30, id, 11)).toBe(true);
    const early = ids.filter((id) => isAmong(10, id, 11));
    expect(early.every((id) => isAmong(10, id, 12))).toBe(false);
  });
});

describe('what a build believes', () => {
  it('is what its list says', () => {
    const trust = trustIn([makeKey('first', { notAfterSequence: 7 })], {
      server: 'https://updates.example/',
    });
    expect(readTrust(JSON.parse(JSON.stringify(trust)))).toEqual(trust);
  });

  it('is no one where the list cannot be read', () => {
    const good = trustIn([makeKey('first')]);
    const [key] = good.keys;
    const bad: unknown[] = [
      null,
      { ...good, server: 'http://updates.example/' },
      { ...good, server: 'https://u:p@updates.example/' },
      { ...good, keys: [{ ...key, publicKey: 'AAAA' }] },
      { ...good, keys: [key, key] },
      { ...good, sequence: -1 },
      { ...good, more: 1 },
    ];
    for (const value of bad) expect(readTrust(value).keys).toEqual([]);
  });

  it('is in the source a list that can be read', async () => {
    const path = new URL('../../../../build/update-keys.json', import.meta.url);
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    expect(readTrust(value)).toEqual(value);
  });
});

describe('whether updates are offered', () => {
  const trust = trustIn([makeKey('first')], { server: 'https://updates.example/' });
  const host = { offered: 'yes', trust } as const;
  const off = { ...noPolicy, updates: { allowed: false, server: null } };

  it.each([
    ['browser', null, noPolicy, null],
    ['managed', { ...host, offered: 'managed' } as const, noPolicy, null],
    ['development', { ...host, offered: 'development' } as const, noPolicy, null],
    ['unsigned', { ...host, trust: trustIn([]) }, noPolicy, null],
    ['policy', host, off, null],
    ['kiosk', host, { ...off, kiosk: 'operator' } as const, null],
    ['yes', host, noPolicy, 'https://updates.example/'],
    [
      'yes',
      host,
      { ...noPolicy, kiosk: 'operator', updates: { allowed: true, server: 'https://own.example/' } } as const,
      'https://own.example/',
    ],
  ] as const)('%s', (offered, of, policy, server) => {
    expect(offerOf(of, policy)).toEqual({ offered, server });
  });
});
