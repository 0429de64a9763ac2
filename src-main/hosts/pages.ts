import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { freshNonce, securityHeaders } from './csp.ts';

/** One answer to a page's request for a file, the same in both hosts. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array<ArrayBuffer>;
}

export interface PageFiles {
  /** Answers a request for `pathname` (percent-encoded, as in a URL); `search` is its query, with the `?`. */
  answer(method: string, pathname: string, search?: string): Promise<PageAnswer>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.geojson': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.pmtiles': 'application/octet-stream',
  '.txt': 'text/plain; charset=utf-8',
};

/** The place of the answer's nonce in the built page. */
const noncePlaceholder = '__CSP_NONCE__';

const text = (words: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(words);

/**
 * Serves the built page from `root`.
 *
 * The names are listed once, and a request can only select one of them. So no request path becomes a path on the disk,
 * and path traversal is not possible. Each file is read once, at its first request. All answers share its bytes, so
 * that requests cost no memory, whatever their number.
 *
 * @throws when `root` cannot be listed or has no `index.html`.
 */
export async function openPageFiles(options: { readonly root: string }): Promise<PageFiles> {
  const files = new Map<string, string>();
  const list = async (folder: string, prefix: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const name = `${prefix}/${encodeURIComponent(entry.name)}`;
      if (entry.isDirectory()) await list(path, name);
      else if (entry.isFile() && extname(entry.name) in types) files.set(name, path);
    }
  };
  await list(options.root, '');
  const index = files.get('/index.html');
  if (index === undefined) throw new Error('The built page has no index.html');
  files.set('/', index);

  const contents = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  const contentOf = (path: string): Promise<Uint8Array<ArrayBuffer>> => {
    const known = contents.get(path);
    if (known) return known;
    const content = readFile(path).then((bytes) => new Uint8Array(bytes));
    contents.set(path, content);
    // A file that could not be read may be readable the next time.
    content.catch(() => contents.delete(path));
    return content;
  };

  return {
    answer: async (method, pathname) => {
      const nonce = freshNonce();
      const headers = { ...securityHeaders(nonce), 'cache-control': 'no-store' };
      const plain = { ...headers, 'content-type': 'text/plain; charset=utf-8' };
      if (method !== 'GET' && method !== 'HEAD') {
        return {
          status: 405,
          headers: { ...plain, allow: 'GET, HEAD' },
          body: text('This address only answers GET and HEAD.\n'),
        };
      }
      const path = files.get(pathname);
      if (path === undefined) {
        return { status: 404, headers: plain, body: text('There is nothing at this address.\n') };
      }
      const type = types[extname(path)] ?? 'application/octet-stream';
      const bytes = await contentOf(path);
      const isPage = extname(path) === '.html';
      // The build names each asset after its content, so an asset never changes.
      const caching = pathname.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'no-store';
      return {
        status: 200,
        headers: { ...headers, 'content-type': type, 'cache-control': caching },
        body: isPage ? text(new TextDecoder().decode(bytes).replaceAll(noncePlaceholder, nonce)) : bytes,
      };
    },
  };
}
