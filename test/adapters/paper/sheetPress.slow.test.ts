import { describe, expect, it } from 'vitest';
import { createSheetPress } from '../../../src-main/adapters/paper/sheetPress.ts';
import { drawSheet } from '../../../src-main/core/features/exports/sheet/drawing.ts';
import { never, sheet } from './sheetFixture.ts';

describe('a sheet', () => {
  it('comes out of a thread as it would of this one', async () => {
    const printed = await createSheetPress().print(sheet, never());
    // The file's id is made of the time at which it is made, which the facts tell.
    expect(Buffer.from(printed).equals(await drawSheet(sheet))).toBe(true);
  });
});
