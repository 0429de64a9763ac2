/**
 * A gateway that answers as a case of the campaign "gateway answers" draws it, in a process apart: what it writes and
 * what was not collected of that is none of the console's memory. Over IPC it says `{ gateway, cid }` once, takes the
 * number of a case, and says the number again when it answers so.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { seeded } from '../../../src-main/training/seeded.ts';
import { HeliaGateway } from '../../support/gateway/heliaGateway.ts';
import { drawFaults, gatewayChunks, gatewayFile, type GoodAnswer } from '../support/gatewayFaults.ts';

const helia = await HeliaGateway.start();
const cid = await helia.add(gatewayFile, gatewayChunks);
const good = new Map<string, GoodAnswer>();
async function goodAnswer(path: string): Promise<GoodAnswer> {
  const key = path.replace(/&entity-bytes=.*/, '');
  const known = good.get(key);
  if (known !== undefined) return known;
  const response = await fetch(new URL(key.replace('/ipfs/', ''), helia.url));
  const type = response.headers.get('content-type') ?? '';
  const made = { type, bytes: new Uint8Array(await response.arrayBuffer()) };
  good.set(key, made);
  return made;
}

let draw = seeded(0, '');
let fault = drawFaults(draw);
const server = createServer((request, response) => {
  request.resume();
  response.on('error', () => undefined);
  goodAnswer(request.url ?? '').then(
    (made) => fault()(made, response, draw),
    () => response.destroy(),
  );
});
server.on('connection', (socket) => socket.on('error', () => undefined));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

process.on('message', (stream: string) => {
  draw = seeded(0, stream);
  fault = drawFaults(draw);
  process.send?.(stream);
});
process.on('disconnect', () => process.exit(0));
process.send?.({ gateway: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/ipfs/`, cid });
