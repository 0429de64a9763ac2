import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { freshNonce, securityHeaders } from '../../src-main/hosts/csp.ts';
import { openPageFiles } from '../../src-main/hosts/pages.ts';
import { seenFiles } from '../../src-main/training/evidence.ts';
import { exchangePath } from '../../src-preload/contract/index.ts';
import { galleryPage, galleryScript } from './galleryPage.ts';
import { recorded } from './recorded.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const top = join(here, '../..');
const script = '/stand-in.js';
/** Lets a browser keep what it compiled of a script: the script does not change while it is served. */
const kept = { 'cache-control': 'private, max-age=31536000, immutable' };

/** The stand-in console, bundled for a page. */
async function bundle(): Promise<string> {
  const result = await build({
    configFile: false,
    root: here,
    logLevel: 'warn',
    // A page cannot make the recording.
    plugins: [
      {
        name: 'recorded',
        load: (id) =>
          id.endsWith('/test/page/recorded.ts')
            ? `export const recorded = ${JSON.stringify(recorded)}`
            : null,
      },
    ],
    build: {
      write: false,
      target: 'es2023',
      modulePreload: { polyfill: false },
      lib: { entry: join(here, 'main.ts'), formats: ['es'], fileName: 'stand-in' },
    },
  });
  const [output] = [result].flat();
  if (!output || !('output' in output)) throw new Error('The stand-in was not bundled');
  return output.output[0].code;
}

/** Serves the built page with a stand-in console in it, on loopback, with the page's own headers. */
export async function serveGallery(options: { readonly port?: number } = {}): Promise<{
  readonly origin: string;
  close(): Promise<void>;
}> {
  const pages = await openPageFiles({ root: join(top, 'out/renderer') });
  const standIn = await bundle();
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://gallery');
    void (async () => {
      if (pathname === script) {
        response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8', ...kept }).end(standIn);
        return;
      }
      if (pathname === '/gallery.js') {
        response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(galleryScript);
        return;
      }
      if (pathname === '/gallery') {
        const nonce = freshNonce();
        const headers = { ...securityHeaders(nonce), 'content-type': 'text/html; charset=utf-8' };
        response.writeHead(200, headers).end(galleryPage(searchParams, nonce));
        return;
      }
      // No page is admitted here: those that a host in the browser carries are refused, or hear nothing.
      if (pathname === exchangePath) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('null');
        return;
      }
      if (pathname.startsWith('/export/')) {
        response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('recorded');
        return;
      }
      if (pathname.startsWith('/evidence/')) {
        const [picture] = seenFiles();
        response.writeHead(200, { 'content-type': picture?.mediaType }).end(picture?.bytes);
        return;
      }
      // A file that is handed over is taken, and no map package lies behind the tiles.
      if (pathname.startsWith('/spool/')) {
        for await (const piece of request) void piece;
        response.writeHead(204).end();
        return;
      }
      const { status, headers, body } = await pages.answer(request.method ?? 'GET', pathname);
      const page = headers['content-type']?.startsWith('text/html') === true && pathname === '/';
      // Scripts of this kind run in the order in which they stand: the stand-in is there before the page.
      const text = (): string =>
        Buffer.from(body)
          .toString()
          .replace('<script type="module"', `<script type="module" src="${script}"></script>$&`);
      response.writeHead(status, headers).end(page ? text() : body);
    })();
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
