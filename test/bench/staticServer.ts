import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.geojson': 'application/json',
  '.woff2': 'font/woff2',
};

export interface StaticServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a folder's files on loopback, and what `made` makes at each request for its path, and nothing
 * else. Run as a program it is the cold start's floor.
 */
export async function serveFolder(
  folder: string,
  made: Readonly<Record<string, () => Buffer>> = {},
): Promise<StaticServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://bench');
    const path = join(folder, pathname);
    const make = made[pathname];
    if (make) {
      response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream');
      response.end(make());
      return;
    }
    const body = path.startsWith(folder + sep) ? readFile(path) : Promise.reject(new Error('outside'));
    body.then(
      (bytes) => {
        response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream');
        response.end(bytes);
      },
      () => {
        response.writeHead(404).end();
      },
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => {
        server.close(() => {
          done();
        });
      });
    },
  };
}

const [, program, folder] = process.argv;
if (program === fileURLToPath(import.meta.url) && folder !== undefined) {
  process.stdout.write(`${(await serveFolder(folder)).url}\n`);
}
