import { monoFamilies, sansFamilies } from './style.ts';

interface Face {
  readonly family: string;
  readonly covers: (sign: number) => boolean;
  readonly address: string;
  readonly rule: (source: string) => string;
}

/**
 * The page's own faces that `element` is written with, as rules that hold the fonts themselves: of each family only the
 * files with its signs. A file that cannot be read is left out, and the reader's system draws those signs.
 */
export async function fontFaces(element: HTMLElement, edges: string): Promise<string> {
  const all = [...pageFaces()];
  const code = [...element.querySelectorAll('code')].map(({ textContent }) => textContent).join('');
  const wanted = new Set([
    ...facesFor(`${element.textContent}${edges}`, sansFamilies, all),
    ...facesFor(code, monoFamilies, all),
  ]);
  const rules = await Promise.all([...wanted].map(embedded));
  return rules.join('\n');
}

/** For each sign a face of the first family that has it, as the browser chooses. */
function facesFor(text: string, families: readonly string[], faces: readonly Face[]): Set<Face> {
  const signs = new Set(Array.from(text, (sign) => sign.codePointAt(0) ?? 0));
  const found = new Set<Face>();
  for (const sign of signs) {
    for (const family of families) {
      const face = faces.findLast((one) => one.family === family && one.covers(sign));
      if (face === undefined) continue;
      found.add(face);
      break;
    }
  }
  return found;
}

function* pageFaces(): Generator<Face> {
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSFontFaceRule)) continue;
      const { style } = rule;
      const family = style.getPropertyValue('font-family').replaceAll(/["']/g, '');
      const source = /url\(["']?([^"')]+)/.exec(style.getPropertyValue('src'))?.[1];
      if (source === undefined) continue;
      const range = style.getPropertyValue('unicode-range');
      yield {
        family,
        covers: rangeOf(range),
        address: new URL(source, sheet.href ?? document.baseURI).href,
        rule: (data) =>
          `@font-face { font-family: '${family}'; font-style: normal; font-weight: ${style.getPropertyValue('font-weight')}; src: url(${data}) format('woff2'); unicode-range: ${range}; }`,
      };
    }
  }
}

/** `U+20-22, U+4E??` as a test of a code point; without a range everything is covered. */
function rangeOf(text: string): (sign: number) => boolean {
  const ranges = Array.from(
    text.matchAll(/u\+([0-9a-f?]+)(?:-([0-9a-f]+))?/gi),
    ([, from = '', to]) =>
      [
        Number.parseInt(from.replaceAll('?', '0'), 16),
        Number.parseInt(to ?? from.replaceAll('?', 'f'), 16),
      ] as const,
  );
  return ranges.length === 0 ? () => true : (sign) => ranges.some(([from, to]) => sign >= from && sign <= to);
}

async function embedded({ address, rule }: Face): Promise<string> {
  try {
    const response = await fetch(address);
    return response.ok ? rule(await dataAddress(await response.blob())) : '';
  } catch {
    return '';
  }
}

/** A file as a `data:` address. */
export function dataAddress(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      resolve(reader.result as string);
    };
    reader.onerror = () => {
      reject(new Error('The file could not be read'));
    };
    reader.readAsDataURL(file);
  });
}
