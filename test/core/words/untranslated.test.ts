import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { literalTexts } from '../../support/literalTexts.ts';

/** Files of the core whose texts stay English, and why (docs/languages.md: What stays English). */
const english: Readonly<Record<string, string>> = {
  'api/authorize.ts': 'a header of HTTP',
  'audit/auditList.ts': 'damage of the audit list, and its export',
  'basemap/facts.ts': 'the name that is kept of a map whose file has none',
  'diagnostics/bundle.ts': 'a file for whoever helps',
  'diagnostics/sections.ts': 'facts for whoever helps, as the bundle has them',
  'exports/exportWords.ts': 'the name of the program in a file',
  'exports/gpx.ts': 'a file for other programs',
  'exports/kml.ts': 'markup',
  'exports/sheet/drawing.ts': 'the name of the program on a sheet',
  'watch/handover/report.ts': 'names of interfaces',
};

const core = join(import.meta.dirname, '../../../src-main/core');
const found = new Map(
  readdirSync(core, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/'))
    .toSorted()
    .map((name) => [name, literalTexts(name, readFileSync(join(core, name), 'utf8'))] as const)
    .filter(([, texts]) => texts.length > 0),
);

describe('what the core says to an operator', () => {
  it('is a phrase of the catalogue, and not in the source', () => {
    const untranslated = [...found].flatMap(([name, texts]) =>
      english[name] === undefined ? texts.map((text) => `${name}: ${text}`) : [],
    );
    expect(untranslated).toEqual([]);
  });

  it('is allowed to be in the source only where some text still is', () => {
    expect(Object.keys(english).filter((name) => !found.has(name))).toEqual([]);
  });
});
