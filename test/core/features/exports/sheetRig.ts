import { inflateSync } from 'node:zlib';
import type { ExportFacts } from '../../../../src-main/core/features/exports/exportFacts.ts';
import { drawSheet } from '../../../../src-main/core/features/exports/sheet/drawing.ts';
import { writeSheet } from '../../../../src-main/core/features/exports/sheet/sheet.ts';
import type { ExportTally } from '../../../../src-main/core/features/exports/textFormat.ts';
import type { StoredIncident } from '../../../../src-main/core/state/incidentCache.ts';
import { scaleOf, type Wording } from '../../../../src-preload/contract/index.ts';
import { facts } from './exportFixtures.ts';

interface Printed {
  readonly raw: string;
  /** What is drawn with text operators, page by page, in the order of drawing. */
  readonly pages: readonly string[];
  readonly tally: ExportTally;
}

/** Writes a sheet as a console does, and reads it back. */
export async function sheetOf(
  incidents: readonly (StoredIncident | null)[],
  change: Partial<ExportFacts> = {},
  {
    picture = null as Uint8Array | null,
    paper = 'a4' as 'a4' | 'letter',
    wording = undefined as Wording | undefined,
  } = {},
): Promise<Printed> {
  const pieces: Uint8Array[] = [];
  let tally: ExportTally = { written: 0, leftOut: 0, gone: 0 };
  for await (const piece of writeSheet({
    facts: facts({ incidents: incidents.length, ...change }),
    scale: scaleOf(null),
    keys: Uint32Array.from(incidents, (_incident, at) => at),
    find: (key) => incidents[key] ?? null,
    picture,
    order: { paper, wording },
    press: { print: (sheet) => drawSheet(sheet) },
    signal: new AbortController().signal,
    onTally: (next) => {
      tally = next;
    },
  })) {
    pieces.push(piece);
  }
  const bytes = Buffer.concat(pieces);
  return { raw: bytes.toString('latin1'), pages: pageTexts(bytes), tally };
}

/**
 * Reads a PDF's text back: the glyphs that a page's content draws, through the table from glyphs to
 * characters that each font carries along.
 */
function pageTexts(bytes: Buffer): string[] {
  const raw = bytes.toString('latin1');
  const objects = new Map<string, string>();
  for (const [, number = '', body = ''] of raw.matchAll(/(\d+) 0 obj\r?\n([\s\S]*?)\r?\nendobj/g)) {
    objects.set(number, body);
  }
  const streamOf = (number: string): string => {
    const body = objects.get(number) ?? '';
    const length = Number(/\/Length (\d+)/.exec(body)?.[1] ?? 0);
    const from = body.indexOf('stream\n') + 'stream\n'.length;
    const plain = Buffer.from(body.slice(from, from + length), 'latin1');
    return (body.includes('/FlateDecode') ? inflateSync(plain) : plain).toString('latin1');
  };
  const referenced = (body: string, name: string): string =>
    new RegExp(`/${name} (\\d+) 0 R`).exec(body)?.[1] ?? '';
  const resolved = (body: string, name: string): string => {
    const inline = new RegExp(`/${name} <<([\\s\\S]*?)>>`).exec(body)?.[1];
    return inline ?? objects.get(referenced(body, name)) ?? '';
  };
  const charactersOf = (fontNumber: string): Map<string, string> => {
    const table = streamOf(referenced(objects.get(fontNumber) ?? '', 'ToUnicode'));
    const characters = new Map<string, string>();
    for (const [, first = '', list = ''] of table.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi)) {
      [...list.matchAll(/<([0-9a-f ]*)>/gi)].forEach(([, units = ''], at) => {
        const code = (Number.parseInt(first, 16) + at).toString(16).padStart(4, '0');
        const text = (units.replaceAll(' ', '').match(/.{4}/g) ?? [])
          .map((unit) => String.fromCharCode(Number.parseInt(unit, 16)))
          .join('');
        characters.set(code, text);
      });
    }
    return characters;
  };
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body));
  return pages.map((page) => {
    const fontEntries = resolved(resolved(page, 'Resources'), 'Font');
    const resources = objects.get(referenced(page, 'Resources')) ?? page;
    const fonts = new Map(
      [...`${fontEntries} ${resources}`.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(
        ([, name = '', number = '']) => [name, charactersOf(number)] as const,
      ),
    );
    let font = new Map<string, string>();
    let text = '';
    const content = streamOf(referenced(page, 'Contents'));
    for (const [, name, drawn] of content.matchAll(
      /\/(F\d+) [\d.]+ Tf|\[((?:<[0-9a-f]*>|[-\d. ])*)\] TJ/gi,
    )) {
      if (name !== undefined) font = fonts.get(name) ?? new Map();
      else {
        for (const [, codes = ''] of (drawn ?? '').matchAll(/<([0-9a-f]*)>/gi)) {
          text += (codes.match(/.{4}/g) ?? []).map((code) => font.get(code) ?? '?').join('');
        }
        text += '\n';
      }
    }
    return text;
  });
}
