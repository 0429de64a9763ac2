import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createMapFiles } from '../../src-main/adapters/maps/mapFiles.ts';
import { forkProgram } from '../../src-main/adapters/threads/childPrograms.ts';
import type { ChildProgram } from '../../src-main/core/base/ports.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import { temporaryFolder } from '../adapters/support.ts';
import { openLibrary, piecesOf } from '../core/features/maps/openLibrary.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { turns, until } from '../support/clock.ts';
import { endlessMbtiles, mapFixture } from '../support/mapFiles.ts';
import { createTestPorts } from '../support/ports.ts';

/** What happens while a package is inspected or read. */
const events = ['nothing', 'reader killed', 'cancelled', 'console closed', 'all at once'] as const;

const packageOf = (draw: Seeded): Buffer =>
  draw.below(3) === 0
    ? mapFixture('world_cities.mbtiles')
    : endlessMbtiles({ levels: 1 + draw.below(14), ways: 2 + draw.below(200) });

it(
  'settles whatever it was asked about a hostile package, and leaves no reader, whatever is killed or cancelled meanwhile',
  async () => {
    await runCampaign({ name: 'hostile maps', whole: 300, part: 8 }, async (draw) => {
      const dataDir = await temporaryFolder();
      const ports = createTestPorts();
      const readers = new Set<ChildProgram>();
      const fork: typeof forkProgram = (file, args) => {
        const reader = forkProgram(file, args);
        readers.add(reader);
        reader.onGone(() => readers.delete(reader));
        return reader;
      };
      const files = createMapFiles({ dataDir, clock: ports.clock, fork });
      const open = await openLibrary(dataDir, { ports, change: files });
      const bytes = packageOf(draw);
      const begun = await open.library.begin('hostile.mbtiles', bytes.byteLength);
      if (!begun.ok) throw new Error('It was not begun');
      const { importId } = begun.value;
      const event = draw.pick(events);
      const meet = async (): Promise<void> => {
        await turns(draw.below(400));
        if (event === 'reader killed' || event === 'all at once') for (const one of readers) one.kill();
        if (event === 'cancelled' || event === 'all at once') open.library.cancel(importId);
        if (event === 'console closed' || event === 'all at once') await open.library.close();
      };
      const read = async (): Promise<string> => {
        const answer = await open.library.receive(importId, piecesOf(bytes));
        const tiles = [0, 1, 2].map((column) => open.library.tile(importId, 2, column, 0));
        for (const { kind } of await Promise.all(tiles))
          expect(['tile', 'empty', 'missing', 'unknown']).toContain(kind);
        return answer;
      };
      // Its time passes as it waits, so a search without end meets its limit.
      const [answer] = await ports.clock.drive(Promise.all([read(), meet()]), { stepMs: 500 });
      await open.library.close();
      await until(() => readers.size === 0, 'the end of every reader');
      if (answer === 'refused') expect(await open.folder()).toEqual([]);
      await rm(dataDir, { recursive: true });
      return `${answer}, ${event}`;
    });
  },
  campaignTimeoutMs,
);
