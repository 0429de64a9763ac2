import { expect, it } from 'vitest';
import { judgeRelease } from '../../src-main/core/features/updates/judge.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import {
  makeKey,
  makeRelease,
  running,
  runningSequence,
  target,
  trustIn,
} from '../core/features/updates/releases.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { damage, drawBytes, drawJunk, jsonText, setOwn } from './support/mutations.ts';

const key = makeKey('release-2026');
const stranger = makeKey('stranger');
const genuine = makeRelease(key, { content: Buffer.from('package') });

const kinds = ['damaged', 'signature', 'swapped', 'stranger', 'noise', 'vouched'] as const;
const genuineLine = genuine.signature.toString().trim();

/** A manifest with one to three members turned into junk, somewhere in it. */
function mutated(draw: Seeded): Uint8Array {
  const body = JSON.parse(genuine.manifest.toString()) as Record<string, unknown>;
  for (let left = 1 + draw.below(3); left > 0; left -= 1) {
    const [first] = Array.isArray(body['packages']) ? (body['packages'] as unknown[]) : [];
    const within = [body, body['release'], first].filter(
      (part): part is object => typeof part === 'object' && part !== null,
    );
    const part = within[draw.below(within.length)] ?? body;
    const names = Object.keys(part);
    const name = draw.below(8) === 0 ? '__proto__' : (names[draw.below(names.length)] ?? 'version');
    setOwn(part, name, drawJunk(draw));
  }
  return Buffer.from(jsonText(body));
}

/**
 * Damaged bytes and strangers' signatures over anything at all, and junk that the release's own key
 * vouches for: the first must never be accepted, the second never crash, nor be accepted unless it
 * still says what a release may say.
 */
it(
  'no damaged release is taken, and none brings the console down',
  async () => {
    const outcomes = await runCampaign({ name: 'update manifests', whole: 10_000, part: 250 }, (draw) => {
      const kind = draw.pick(kinds);
      const body = kind === 'damaged' ? damage(genuine.manifest, draw) : mutated(draw);
      const signed = draw.pick([genuine.signature, Buffer.from(key.line(body))]);
      const forms: Readonly<Record<typeof kind, readonly [Uint8Array, Uint8Array]>> = {
        damaged: [body, genuine.signature],
        swapped: [body, genuine.signature],
        signature: [genuine.manifest, damage(genuine.signature, draw)],
        stranger: [body, Buffer.from(stranger.line(body))],
        noise: [drawBytes(draw, 4_096), draw.pick([drawBytes(draw, 256), signed])],
        vouched: [body, Buffer.from(key.line(body))],
      };
      const [manifest, signature] = forms[kind];
      const same = Buffer.compare(manifest, genuine.manifest) === 0;
      const verdict = judgeRelease({
        manifest,
        signature,
        trust: trustIn([key]),
        target,
        running: { version: running, sequence: runningSequence },
        greatestSeen: 0,
        now: Date.UTC(2026, 10, 20),
      });
      if (verdict.kind !== 'newer') return `${kind} refused`;
      // One whole line is a signature, whatever became of the line's end or stands beside it.
      const lines = Buffer.from(signature).toString('latin1').split(/\r?\n/);
      if (kind === 'signature' && lines.includes(genuineLine)) return 'unharmed';
      if (same && kind === 'damaged') return 'unharmed';
      if (kind === 'vouched') {
        const { package: chosen, sequence, release } = verdict.admitted;
        expect(chosen).toMatchObject({ platform: 'linux', arch: 'x64', kind: 'appimage' });
        expect(sequence).toBeGreaterThan(runningSequence);
        expect(release.version).toBe('1.1.0');
        expect(chosen.file).toMatch(/^[A-Za-z0-9][\w.+-]*$/);
        return 'vouched and still whole';
      }
      throw new Error(`A release was accepted that is ${kind}`);
    });
    expect(outcomes.get('damaged refused')).toBeGreaterThan(0);
    expect(outcomes.get('vouched refused')).toBeGreaterThan(0);
  },
  campaignTimeoutMs,
);
