import { Packr } from 'msgpackr';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowserHost, type BrowserHost } from '../../src-main/hosts/browser/server.ts';
import { openPageFiles } from '../../src-main/hosts/pages.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import {
  closeCodes,
  largestMessage,
  packerOptions,
  verbNames,
  type VerbName,
} from '../../src-preload/contract/index.ts';
import { openConsole, type OpenConsole } from '../core/scopes/appFixtures.ts';
import { admit, PageSocket } from '../hosts/support/page.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { until } from '../support/clock.ts';
import { drawHostile } from './support/hostilePack.ts';
import { damage, drawBytes, drawJunk, drawText, jsonText, setOwn } from './support/mutations.ts';

/** Ids of the calls that prove the host alive; no made-up call has one of these. */
const firstProbe = 4_000_000_000;
/** How a socket may end on what a page sent: the protocol's own words, or WebSocket's for a bad frame. */
const acceptable: readonly number[] = [closeCodes.malformed, 1002, 1007, 1009];

let folder: string;
let opened: OpenConsole;
let host: BrowserHost;
let admitted: { cookie: string; proof: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'field-console-faults-'));
  await writeFile(
    join(folder, 'index.html'),
    '<meta name="csp-nonce" nonce="__CSP_NONCE__"><title>page</title>',
  );
  opened = await openConsole();
  host = await startBrowserHost({
    app: opened.console,
    clock: opened.ports.clock,
    logger: opened.ports.logger,
    pages: await openPageFiles({ root: folder }),
    version: '0.0.0',
    dataDir: folder,
    port: 0,
    onLaunchUrl: () => Promise.resolve(),
  });
  admitted = await admit(host.issueUrl());
});
afterAll(async () => {
  await opened.ports.clock.drive(Promise.all([host.close(), opened.close()]));
  await rm(folder, { recursive: true, force: true });
});

async function openSocket(): Promise<PageSocket> {
  const page = await new PageSocket(host.origin, { cookie: admitted.cookie }).opened();
  page.send({ kind: 'hello', proof: admitted.proof });
  await page.message('welcome');
  return page;
}

/** A value as the other side would see it: `jsonText` may hold what no object can, such as `1e400`. */
const plain = (value: unknown): unknown => JSON.parse(jsonText(value)) as unknown;

/** Requests that hold, by verb; the other verbs take an empty one. */
const requests: Partial<Record<VerbName, Record<string, unknown>>> = {
  signIn: { username: 'nobody', password: 'nothing' },
  unlock: { password: 'nothing' },
  chooseDeployment: { id: 'x' },
  proposeDeployment: { text: '{"version":1}' },
  confirmDeployment: { proposalId: 'x' },
  readIncident: { key: 1 },
  setPreferences: { zone: 'utc' },
};

function drawMessage(draw: Seeded): unknown {
  const verb = verbNames[draw.below(verbNames.length)] ?? 'lock';
  const message: Record<string, unknown> =
    draw.below(4) === 0
      ? { kind: 'link', message: { kind: 'acknowledge', epoch: 'e', revision: draw.below(9) } }
      : { kind: 'call', id: draw.below(1000), verb, request: { ...requests[verb] } };
  if (draw.below(3) > 0) {
    const inner = draw.pick(['message', 'request', 'request', 'self']);
    const target = inner === 'self' ? message : message[inner];
    const object = typeof target === 'object' && target !== null ? target : message;
    const names = ['__proto__', 'constructor', 'kind', 'id', 'verb', ...Object.keys(object)] as const;
    const name = names[draw.below(names.length)] ?? 'kind';
    if (draw.below(4) === 0) Reflect.deleteProperty(object, name);
    else setOwn(object, name, drawJunk(draw));
  }
  return plain(message);
}

/** Deeper than a packer prints, and than a reader that calls itself can follow. */
const nested = (draw: Seeded): Uint8Array =>
  Buffer.alloc(1 + draw.below(200_000), draw.pick([0x91, 0x81, 0xdc]));

/** The message as the page packs it; one too deep for that goes out as bytes that claim the depth. */
function packed(message: unknown, draw: Seeded): Uint8Array {
  try {
    return new Packr(packerOptions).pack(message);
  } catch (error) {
    if (error instanceof RangeError) return nested(draw);
    throw error;
  }
}

/** Lengths that the bytes behind them do not keep. */
const boasts = [
  'ddffffffff',
  'dfffffffff',
  'c6ffffffff',
  'dbffffffff',
  'c9ffffffff72',
  'd672ffffffff',
] as const;

function drawBlock(draw: Seeded): Uint8Array {
  switch (draw.below(20)) {
    case 0:
      return drawBytes(draw, 600);
    case 1:
      return draw.below(4) === 0 ? nested(draw) : drawBytes(draw, 20);
    case 2:
      return Buffer.concat([Buffer.from(draw.pick(boasts), 'hex'), drawBytes(draw, 40)]);
    case 3:
      return draw.below(10) === 0 ? Buffer.alloc(largestMessage + draw.below(3)) : drawBytes(draw, 3);
    case 4:
    case 5:
    case 6:
      return drawHostile(draw);
    case 7:
    case 8:
    case 9:
    case 10:
      return damage(packed(drawMessage(draw), draw), draw);
    default:
      return packed(drawMessage(draw), draw);
  }
}

/** Sends what is no hello as a first message, and answers with the code that the socket was closed with. */
async function sendFirst(draw: Seeded): Promise<number> {
  const headers: Record<string, string> = draw.below(2) === 0 ? {} : { cookie: admitted.cookie };
  const page = await new PageSocket(host.origin, headers).opened();
  page.socket.send(draw.below(3) === 0 ? drawBlock(draw) : drawHostile(draw));
  await until(() => page.socket.readyState !== page.socket.OPEN, 'the goodbye');
  // What is over the limit of a hello is not read, so neither is this page's answer to the goodbye.
  await opened.ports.clock.advance(1_000);
  return page.closed;
}

it(
  'carries on whatever a page sends, admitted or not',
  async () => {
    let page = await openSocket();
    let closed = 0;
    const options = { name: 'socket-messages', whole: 2_000, part: 150 };
    const outcomes = await runCampaign(options, async (draw, index) => {
      /** The code that the page's socket was closed with, or null when the host answered on it. */
      const probe = async (): Promise<number | null> => {
        const id = firstProbe + index;
        page.send({ kind: 'call', id, verb: 'setPreferences', request: { listWidth: 320 + (index % 200) } });
        const answer = await Promise.race([page.message('reply', (reply) => reply.id === id), page.closed]);
        if (typeof answer === 'number') return answer;
        expect(answer.result).toEqual({ ok: true, value: null });
        page.received.length = 0;
        return null;
      };
      // Pushes go out by the clock, among the answers.
      if (index % 50 === 49) await opened.ports.clock.advance(100);
      const kind = draw.below(20);
      if (kind >= 15) {
        expect(acceptable).toContain(await sendFirst(draw));
        expect(await probe()).toBeNull();
        return 'refused before the hello';
      }
      if (kind === 0) {
        // Below WebSocket: bytes that are no frames, or a frame whose rest never comes.
        const { _socket: tcp } = page.socket as unknown as { readonly _socket: Socket };
        await new Promise((written) => tcp.write(drawBytes(draw, 200), written));
        page.socket.terminate();
      } else if (kind === 1) {
        page.socket.send(drawText(draw, 100).toWellFormed());
      } else {
        page.socket.send(drawBlock(draw));
      }
      const code = kind === 0 ? null : await probe();
      if (code === null && kind !== 0) return 'answered';
      if (code !== null) expect(acceptable).toContain(code);
      closed += 1;
      page = await openSocket();
      expect(await probe()).toBeNull();
      return code === null ? 'cut below the socket' : `closed with ${String(code)}`;
    });
    for (const outcome of [
      'answered',
      'closed with 4400',
      'cut below the socket',
      'refused before the hello',
    ]) {
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
    }
    expect(closed).toBeGreaterThan(0);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const broken = opened.ports.logger.lines.filter(({ event }) => /broke/.test(event));
    expect(broken).toEqual([]);
    page.socket.terminate();
  },
  campaignTimeoutMs,
);
