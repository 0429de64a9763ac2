import { unzipSync } from 'fflate';

/** What must not be found, by what it is. */
export type Canaries = Readonly<Record<string, readonly string[]>>;

/** The forms in which a text could hide: as it is, in JSON, in a URL, in base64 at any offset, in hex. */
function formsOf(canary: string): string[] {
  const bytes = Buffer.from(canary);
  const inBase64 = [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and last characters depend on what stands beside it.
    const own = text.slice(offset === 0 ? 0 : offset + 1, -1);
    return own.length < 8 ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [
    ...new Set([
      canary,
      canary.toLowerCase(),
      JSON.stringify(canary).slice(1, -1),
      encodeURIComponent(canary),
      bytes.toString('hex'),
      ...inBase64,
    ]),
  ];
}

/** Every canary that is in one of the texts, as `what in where`. */
export function leaksIn(texts: ReadonlyMap<string, string>, canaries: Canaries): string[] {
  const leaks: string[] = [];
  for (const [where, text] of texts) {
    const lower = text.toLowerCase();
    for (const [what, values] of Object.entries(canaries)) {
      const found = values.some((value) =>
        formsOf(value).some((form) => text.includes(form) || lower.includes(form.toLowerCase())),
      );
      if (found) leaks.push(`${what} in ${where}`);
    }
  }
  return leaks;
}

/** The files of a zip as texts, by name. */
export function textsOf(zip: Uint8Array): Map<string, string> {
  const files = unzipSync(zip);
  return new Map(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString('utf8')]));
}
