import { expect, it } from 'vitest';
import type { App, AppBytes } from '../../src-main/core/scopes/app.ts';
import { answerBytes } from '../../src-main/hosts/byteRoutes.ts';

/*
 * The byte routes, as they are written down beside this file: which addresses there are, which methods they take, and
 * status and headers of each answer. A change that is meant is taken with `vitest run test/freeze -u`.
 */

const id = '0123456789abcdef';
const job = `${id}${id}`;

const paths = [
  ...[
    `/tiles/${id}/0/0/0`,
    `/tiles/${id}/3/7/7`,
    `/tiles/${id}/3/8/7`,
    `/tiles/${id}/31/0/0`,
    `/tiles/${id}/03/0/0`,
  ],
  ...[`/tiles/${id}/0/0`, `/tiles/${id.toUpperCase()}/0/0/0`, `/tiles/${id}/0/0/0/`, '/tiles/../spool/0/0/0'],
  ...[
    `/spool/${id}`,
    `/spool/${id}0`,
    `/spool/${id}/`,
    '/spool/',
    `/export/${job}`,
    `/export/${id}`,
    '/export',
  ],
  '/',
];
const methods = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS'];

const tiles: Awaited<ReturnType<AppBytes['tile']>>[] = [
  ...(['png', 'jpg', 'webp', 'avif', 'mvt'] as const).map((type) => ({
    kind: 'tile' as const,
    type,
    bytes: Uint8Array.of(1),
  })),
  ...(['empty', 'missing', 'unknown', 'locked'] as const).map((kind) => ({ kind })),
];
const spools = ['kept', 'refused', 'unknown', 'busy', 'locked'] as const;
const stream = {
  fileName: 'field console/incidents "1".csv',
  mediaType: 'text/csv; charset=utf-8',
  pieces: (async function* () {})(),
  signal: new AbortController().signal,
};
const exports = { nothing: null, bytes: Uint8Array.of(1), stream };

/** An app that gives these answers. */
const appOf = (bytes: Partial<AppBytes>): App =>
  ({
    bytes: {
      tile: () => Promise.resolve({ kind: 'missing' }),
      spool: () => Promise.resolve('unknown'),
      exported: () => null,
      ...bytes,
    },
  }) as unknown as App;

/** Which headers an answer has, each set under a number, and the answer as status and number. */
class Answers {
  readonly headers: string[] = [];
  readonly seen: Record<string, string> = {};

  async note(name: string, app: App, method: string, pathname: string): Promise<void> {
    const body = (async function* () {})();
    const { status, headers } = await answerBytes(app, { method, pathname, range: null, body });
    const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
    // The nonce of the security policy is another one each time.
    const text = lines.join(' | ').replaceAll(/'nonce-[^']+'/g, "'nonce'");
    if (!this.headers.includes(text)) this.headers.push(text);
    this.seen[name] = `${String(status)}, headers ${String(this.headers.indexOf(text))}`;
  }
}

it('byte routes are what they were', async () => {
  const answers = new Answers();
  for (const path of paths)
    for (const method of methods) await answers.note(`${method} ${path}`, appOf({}), method, path);
  for (const tile of tiles) {
    const named = tile.kind === 'tile' ? `tile ${tile.type}` : tile.kind;
    const app = appOf({ tile: () => Promise.resolve(tile) });
    await answers.note(`tile that is: ${named}`, app, 'GET', `/tiles/${id}/0/0/0`);
  }
  for (const answer of spools) {
    const app = appOf({ spool: () => Promise.resolve(answer) });
    await answers.note(`file that is: ${answer}`, app, 'PUT', `/spool/${id}`);
  }
  for (const [name, exported] of Object.entries(exports)) {
    const app = appOf({ exported: () => exported });
    await answers.note(`export of: ${name}`, app, 'GET', `/export/${job}`);
  }
  await expect(`${JSON.stringify(answers, null, 1)}\n`).toMatchFileSnapshot('bytes.json');
});
