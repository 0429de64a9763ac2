/**
 * The service at its cheapest: takes any body and forgets it, so that what is measured is the sender.
 * Says its address over IPC, and ends with its parent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

const answers: Readonly<Record<string, unknown>> = {
  '/login': { token: 'bench', expires_at: Math.floor((performance.timeOrigin + 86_400_000) / 1000) },
  '/health': { status: 'ok' },
  '/incidents': [],
  '/evidence': [],
};

const server = createServer({ requestTimeout: 0 }, (request, response) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.byteLength));
  request.on('end', () => {
    const path = new URL(request.url ?? '/', 'http://sink').pathname;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[path] ?? { cid: '', bytes }));
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` });
});
process.on('disconnect', () => process.exit());
