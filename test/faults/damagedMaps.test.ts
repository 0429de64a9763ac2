import { expect, it } from 'vitest';
import type { Seeded } from '../../src-main/training/seeded.ts';
import { mapPackageSchema } from '../../src-preload/contract/index.ts';
import { temporaryFolder } from '../adapters/support.ts';
import { openLibrary } from '../core/features/maps/openLibrary.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { mapFixture, pmtilesOf, pngOf, squareTile } from '../support/mapFiles.ts';
import { damage } from './support/mutations.ts';
import { said } from '../support/messages.ts';

const square = squareTile(['roads', 'water'], { name: 'x' });
const sources: readonly [Buffer, ...Buffer[]] = [
  mapFixture('test_fixture_1.pmtiles'),
  mapFixture('world_cities.mbtiles'),
  pmtilesOf({ tileType: 2, tiles: [{ z: 0, x: 0, y: 0, data: pngOf('#336699') }], leaf: true }),
  pmtilesOf({ tileType: 1, tiles: [{ z: 0, x: 0, y: 0, data: square }], internalCompression: 1 }),
  // Only its head, where all the numbers are, with what it says it holds cut off.
  mapFixture('usgs-mt-whitney-8-15-webp-512.pmtiles').subarray(0, 40_000),
];

/** Most other damage is seen at once; this reaches what lies deeper. */
function withOneBitTurned(bytes: Uint8Array, draw: Seeded): Uint8Array {
  const turned = Uint8Array.from(bytes);
  const at = draw.below(turned.length);
  turned[at] = (turned[at] ?? 0) ^ (1 << draw.below(8));
  return turned;
}

it(
  'takes or refuses any damaged package, keeps nothing of a refused one, and never breaks on a tile',
  async () => {
    const options = { name: 'damaged-maps', whole: 300, part: 30 };
    const folder = await temporaryFolder();
    const open = await openLibrary(folder);
    const outcomes = await runCampaign(options, async (draw) => {
      const whole = draw.pick(sources);
      const bytes = draw.below(2) === 0 ? damage(whole, draw) : withOneBitTurned(whole, draw);
      const answer = await open.give('damaged.pmtiles', bytes);
      const [entry] = open.state().packages;
      if (answer === 'refused') {
        expect(entry).toBeUndefined();
        const [refused] = open.state().imports;
        expect(said(refused?.failure?.sentence)).toMatch(/^[A-Z].*\.$/);
        open.library.dismiss(refused?.id ?? '');
      } else {
        expect(mapPackageSchema.safeParse(entry).success).toBe(true);
        for (const z of [0, 1, 6]) {
          const tile = await open.library.tile(entry?.id ?? '', z, 0, 0);
          expect(['tile', 'empty', 'missing', 'unknown']).toContain(tile.kind);
        }
        expect(await open.library.remove(entry?.id ?? '')).toMatchObject({ ok: true });
      }
      expect(open.state()).toEqual({ packages: [], imports: [], missing: [] });
      expect(await open.folder()).toEqual([]);
      return answer;
    });
    for (const outcome of ['kept', 'refused']) expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
  },
  campaignTimeoutMs,
);
