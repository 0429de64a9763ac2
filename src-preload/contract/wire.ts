import { z } from 'zod';
import { failureSchema } from './failure.ts';
import type { PackLimits } from './messagePack.ts';
import { messageSchema } from './message.ts';
import { linkMessageSchema, pushSchema } from './pushes.ts';

/**
 * The browser host's wire protocol, version 1. Same origin only; everything is described from the
 * page's side.
 *
 * 1. The page is opened at `http://127.0.0.1:PORT/#launch=CODE`. It takes CODE out of the fragment
 *    (`launchParameter`) and removes the fragment with `history.replaceState` before anything else,
 *    so that the code is in no history entry.
 *    A second window is opened at `/?pane=map#launch=CODE` or `/?pane=list#launch=CODE` (`paneParameter`):
 *    what it shows survives its reloads, its code does not.
 * 2. `POST exchangePath`, `Content-Type: application/json`, body `{ code }`, `credentials:
 *    'same-origin'`. The answer is an `exchangeReplySchema` as JSON: admitted (status 200, with a
 *    cookie that the page cannot read, and the `proof`) or refused (403, with a sentence to show).
 *    The page keeps the proof in `sessionStorage` under `proofKey`, so that a reload gets in again.
 *    A page without code and without proof shows that it must be opened from the launch file.
 * 3. WebSocket to `socketPath` (`ws://` on the page's own host), subprotocol `socketProtocol`,
 *    `binaryType = 'arraybuffer'`. Each message is binary: one MessagePack value, made by a msgpackr
 *    `Packr` with `packerOptions` (in a page from `msgpackr/index-no-eval`). It is plain: no extension,
 *    no reference, no record, texts as keys, within the receiver's limits (`pageMessageLimits`,
 *    `consoleMessageLimits`), all of which is checked on the bytes before a value is built of them.
 * 4. First message: `{ kind: 'hello', proof }`, of at most `largestHello` bytes, within 5 s of the
 *    opening; nothing else is sent before the answer and nothing else is decoded. The answer is
 *    `{ kind: 'welcome', version }`, followed by pushes at once, the first of which is a snapshot.
 *    Each socket is its own subscriber.
 * 5. Then the page sends `call` (ids are its own, unique among its unanswered calls) and `link`
 *    (acknowledge or resync, as pushes.ts says); the console sends one `reply` per call, in any order,
 *    and `push`. The console holds the next push back until the last one was acknowledged. At most
 *    `callsInFlight` calls may be unanswered; further ones are answered with code `throttled`. A
 *    message over `largestMessage` bytes, not plain or not of this schema closes the socket.
 * 6. Close codes are in `closeCodes`. `notAdmitted`: drop the proof, do not connect again, show that
 *    the page must be opened from the launch file. Any other close: connect again with back-off; the
 *    unanswered calls have failed with `bridge-lost`.
 * 7. Byte routes (`/tiles/`, `/spool/`, `/export/`) need the header `proofHeader` beside the cookie. `/evidence/` is
 *    asked for by elements of the page, which send no such header: a ticket that a verb gave stands in its path instead.
 */
export const launchParameter = 'launch';
/** Names in the address what a second window shows, in both hosts. */
export const paneParameter = 'pane';
export const exchangePath = '/exchange';
export const socketPath = '/socket';
export const socketProtocol = 'field-console.v1';
export const proofKey = 'field-console.proof';
export const proofHeader = 'x-console-proof';
export const callsInFlight = 64;
export const largestMessage = 524_288;
/** The hello of a page has 64 bytes. */
export const largestHello = 256;
/** The largest message of a page, the wording of a language, has over 10,000 values. */
export const pageMessageLimits: PackLimits = { depth: 32, values: 65_536, bytes: false };
/** The console is believed, as far as a fault of it shall not stop the page. */
export const consoleMessageLimits: PackLimits = { depth: 64, values: 10_000_000, bytes: true };
/**
 * Plain maps and plain arrays on the wire: no records, no references, no types of MessagePack's extensions.
 * msgpackr writes `undefined` as an extension, so members that are undefined are left out, which only its
 * writer of maps of any size can do.
 */
export const packerOptions = {
  useRecords: false,
  mapsAsObjects: true,
  int64AsType: 'number',
  structuredClone: false,
  moreTypes: false,
  variableMapSize: true,
  skipValues: [undefined],
} as const;

export const closeCodes = {
  goingAway: 1001,
  malformed: 4400,
  notAdmitted: 4401,
  tooSlow: 4408,
} as const;

/** 32 random bytes as base64url. */
const secretSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

export const exchangeRequestSchema = z.strictObject({ code: z.string().min(1).max(128) });
export const exchangeReplySchema = z.discriminatedUnion('admitted', [
  z.strictObject({ admitted: z.literal(true), proof: secretSchema }),
  z.strictObject({
    admitted: z.literal(false),
    reason: z.enum(['spent', 'expired', 'unknown', 'malformed']),
    sentence: messageSchema,
  }),
]);
export type ExchangeReply = z.infer<typeof exchangeReplySchema>;

export const helloSchema = z.strictObject({ kind: z.literal('hello'), proof: z.string().max(128) });
export type Hello = z.infer<typeof helloSchema>;

const callId = z.int().min(0).max(4_294_967_295);

/** What a page sends after its hello. `verb` and `request` are checked by the console. */
export const pageMessageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('call'), id: callId, verb: z.string().max(64), request: z.unknown() }),
  z.strictObject({ kind: z.literal('link'), message: linkMessageSchema }),
]);
export type PageMessage = z.infer<typeof pageMessageSchema>;

/** What the console sends. */
export const consoleMessageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('welcome'), version: z.string() }),
  z.strictObject({
    kind: z.literal('reply'),
    id: callId,
    result: z.discriminatedUnion('ok', [
      z.strictObject({ ok: z.literal(true), value: z.unknown() }),
      z.strictObject({ ok: z.literal(false), failure: failureSchema }),
    ]),
  }),
  z.strictObject({ kind: z.literal('push'), push: pushSchema }),
]);
export type ConsoleMessage = z.infer<typeof consoleMessageSchema>;
