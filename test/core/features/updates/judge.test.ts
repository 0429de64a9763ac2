import { describe, expect, it } from 'vitest';
import {
  judgeRelease,
  type JudgedRelease,
  type Verdict,
} from '../../../../src-main/core/features/updates/judge.ts';
import {
  makeKey,
  makeRelease,
  running,
  runningSequence,
  target,
  trustIn,
  type ReleaseChange,
} from './releases.ts';

const key = makeKey('release-2026');
const content = Buffer.from('a small package');

function judge(change: ReleaseChange = {}, more: Partial<JudgedRelease> = {}): Verdict {
  const { manifest, signature } = makeRelease(key, { content, ...change });
  return judgeRelease({
    manifest,
    signature,
    trust: trustIn([key]),
    target,
    running: { version: running, sequence: runningSequence },
    greatestSeen: 0,
    now: Date.UTC(2026, 10, 20),
    ...more,
  });
}
const reasonOf = (verdict: Verdict): string => (verdict.kind === 'refused' ? verdict.reason : verdict.kind);

describe('a release', () => {
  it('that is signed, newer and for this computer may be taken', () => {
    expect(judge()).toEqual({
      kind: 'newer',
      admitted: {
        release: { version: '1.1.0', bytes: content.byteLength, releasedAt: Date.UTC(2026, 10, 19, 8) },
        sequence: 11,
        rollout: 100,
        package: expect.objectContaining({ kind: 'appimage', arch: 'x64' }),
      },
    });
  });

  it('may be taken until it expires', () => {
    const expiresAt = '2026-12-01T00:00:00.000Z';
    const at = Date.parse(expiresAt);
    expect(judge({ release: { expiresAt } }, { now: at - 1 }).kind).toBe('newer');
    expect(judge({ release: { expiresAt } }, { now: at })).toEqual({
      kind: 'refused',
      reason: 'expired',
      version: '1.1.0',
      sequence: null,
    });
  });

  it('is believed for its exact bytes only', () => {
    const { manifest, signature } = makeRelease(key, { content });
    for (let at = 0; at < manifest.byteLength; at += 7) {
      const changed = Buffer.from(manifest);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(reasonOf(judge({}, { manifest: changed, signature }))).toBe('forged');
    }
    const spaced = Buffer.concat([manifest, Buffer.from('\n')]);
    expect(reasonOf(judge({}, { manifest: spaced, signature }))).toBe('forged');
  });

  it('is not even read before its signature holds', () => {
    const { signature } = makeRelease(key, { content });
    const garbage = Buffer.from('{"version":');
    expect(reasonOf(judge({}, { manifest: garbage, signature }))).toBe('forged');
    expect(reasonOf(judge({}, { manifest: garbage, signature: Buffer.from(key.line(garbage)) }))).toBe(
      'unreadable',
    );
  });

  it('needs a signature file that is one', () => {
    const { manifest, signature } = makeRelease(key, { content });
    const line = signature.toString().trimEnd();
    const [, text = ''] = line.split(' ');
    const files: readonly (readonly [string, string])[] = [
      ['', 'unsigned'],
      ['{}', 'unsigned'],
      [text, 'unsigned'],
      [`release-2026  ${text}`, 'unsigned'],
      [`release-2026 ${text} more`, 'unsigned'],
      [`Release-2026 ${text}`, 'unsigned'],
      [`release-2026 ${text.slice(0, -2)}`, 'unsigned'],
      [`release-2026 ${text.replace(/=+$/, '')}`, 'unsigned'],
      [`${line}\n\n`, 'unsigned'],
      [`${line}\n`.repeat(9), 'unsigned'],
      [`x${line}`.repeat(20), 'unsigned'],
      [`another-key ${text}`, 'unknown-key'],
      [`release-2026 ${Buffer.alloc(64).toString('base64')}`, 'forged'],
      [line, 'newer'],
      [`${line}\r\n`, 'newer'],
    ];
    for (const [file, reason] of files) {
      expect(reasonOf(judge({}, { manifest, signature: Buffer.from(file) })), file).toBe(reason);
    }
  });

  it('is believed by no one who knows no key', () => {
    expect(reasonOf(judge({}, { trust: trustIn([]) }))).toBe('unknown-key');
  });

  it('signed with a key of the same name is forged, with another one unknown', () => {
    expect(reasonOf(judge({ signedBy: [makeKey('release-2026')] }))).toBe('forged');
    expect(reasonOf(judge({ signedBy: [makeKey('release-2027')] }))).toBe('unknown-key');
  });
});

describe('the rotation of a key', () => {
  const old = makeKey('old', { notAfterSequence: 11 });
  const next = makeKey('next');
  const trust = trustIn([old, next]);
  const at = (sequence: number, signedBy: ReleaseChange['signedBy']): string =>
    reasonOf(judge({ signedBy, release: { sequence, version: `1.${String(sequence)}.0` } }, { trust }));

  it('leaves the old key its last release, and refuses it any later one', () => {
    expect(at(11, [old])).toBe('newer');
    expect(at(12, [old])).toBe('retired-key');
    expect(at(12, [next])).toBe('newer');
  });

  it('takes one good signature of several, in any order', () => {
    expect(at(12, [old, next])).toBe('newer');
    expect(at(12, [next, old])).toBe('newer');
    expect(reasonOf(judge({ signedBy: [makeKey('unheard-of'), next] }, { trust }))).toBe('newer');
  });
});

describe('what a release says', () => {
  it.each([
    ['other-product', { manifest: { product: 'another' } }],
    ['other-channel', { manifest: { channel: 'beta' } }],
    ['unreadable', { manifest: { version: 2 } }],
    ['unreadable', { manifest: { packages: [] } }],
    ['unreadable', { manifest: { release: null } }],
    ['unreadable', { release: { version: '1.1' } }],
    ['unreadable', { release: { sequence: 1.5 } }],
    ['unreadable', { release: { sequence: 2 ** 60 } }],
    ['unreadable', { release: { releasedAt: 'yesterday' } }],
    ['unreadable', { release: { expiresAt: undefined } }],
    ['unreadable', { release: { rollout: 101 } }],
    ['unreadable', { package: { bytes: 0 } }],
    ['unreadable', { package: { bytes: 2 ** 40 } }],
    ['unreadable', { package: { sha512: 'AAAA' } }],
    ['unreadable', { package: { file: '../field-console.AppImage' } }],
    ['unreadable', { package: { file: '/usr/bin/field-console' } }],
    ['unreadable', { package: { file: 'C:\\console.exe' } }],
    ['unreadable', { package: { platform: 'beos' } }],
    ['no-package', { package: { platform: 'win32' } }],
    ['no-package', { package: { arch: 'arm64' } }],
    ['no-package', { package: { kind: 'deb' } }],
    ['newer', { package: { arch: 'universal' } }],
    ['newer', { manifest: { futureMember: true } }],
  ] as const)('%s: %j', (reason, change) => {
    expect(reasonOf(judge(change))).toBe(reason);
  });

  it('prefers the package for its architecture to one for all', () => {
    const { manifest } = makeRelease(key, { content });
    const body = JSON.parse(manifest.toString()) as { packages: object[] };
    const own = { ...body.packages[0], file: 'own.AppImage' };
    const all = { ...body.packages[0], arch: 'universal', file: 'all.AppImage' };
    const verdict = judge({ manifest: { packages: [all, own] } });
    expect(verdict).toMatchObject({ admitted: { package: { file: 'own.AppImage' } } });
  });
});

describe('the order of releases', () => {
  it.each([
    ['current', 10, '1.0.0', 0],
    ['older', 9, '0.9.0', 0],
    ['older', 9, '1.1.0', 0],
    ['contradictory', 10, '1.1.0', 0],
    ['contradictory', 9, '1.0.0', 0],
    ['contradictory', 11, '1.0.0', 0],
    ['contradictory', 11, '0.9.0', 0],
    ['contradictory', 11, '1.0.0-rc.1', 0],
    ['newer', 11, '1.0.1', 0],
    ['newer', 11, '1.0.1', 11],
    ['replayed', 11, '1.0.1', 12],
    ['newer', 12, '1.0.2', 12],
  ] as const)('%s: number %i, version %s, where number %i was seen', (reason, sequence, version, seen) => {
    expect(reasonOf(judge({ release: { sequence, version } }, { greatestSeen: seen }))).toBe(reason);
  });
});
