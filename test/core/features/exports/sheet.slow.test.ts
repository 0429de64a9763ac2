import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostListedRows } from '../../../../src-main/core/features/exports/sheet/sheet.ts';
import { hostileIncident, hostileText, stored } from './exportFixtures.ts';
import { sheetOf } from './sheetRig.ts';

describe('a sheet', () => {
  it('lists 2,000 and says how many it leaves out', async () => {
    const one = stored();
    const { pages, tally } = await sheetOf(Array.from({ length: mostListedRows + 345 }, () => one));
    expect(tally).toEqual({ written: mostListedRows, leftOut: 345, gone: 0 });
    expect(pages.at(-1)?.replaceAll('\n', ' ')).toContain(
      'The first 2,000 are listed; 345 incidents are left out.',
    );
    const listed = pages.join('').split('fire\n').length - 1;
    expect(listed).toBe(mostListedRows);
  });

  it('is made whatever it is to hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostileIncident, { maxLength: 3 }), hostileText, async (incidents, text) => {
        const { pages, tally } = await sheetOf(incidents, { deployment: text, filters: text.repeat(60) });
        expect(tally.written).toBe(incidents.length);
        expect(pages[0]).toContain('Data as of');
      }),
      { numRuns: 6 },
    );
  });
});
