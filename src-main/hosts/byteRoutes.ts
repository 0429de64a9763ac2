import type { App, AppBytes } from '../core/scopes/app.ts';
import { freshNonce, securityHeaders } from './csp.ts';
import type { PageAnswer } from './pages.ts';

/** Paths that carry bytes instead of pages. All need an admitted page (contract/wire.ts, step 7). */
const prefixes = ['/tiles/', '/spool/', '/export/', '/evidence/'];

export const isByteRoute = (pathname: string): boolean =>
  prefixes.some((prefix) => pathname.startsWith(prefix));

/**
 * Whether an element of the page requests this path. It cannot send the page's proof, so the ticket in the path
 * replaces it. All other checks are those of the other routes.
 */
export const isTicketRoute = (pathname: string): boolean => pathname.startsWith('/evidence/');

/** Bytes that are made while they are sent. */
export interface ByteStream {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Aborted when the bytes so far are of no use: the answer must not look complete then. */
  readonly signal: AbortSignal;
}

/** One answer of a byte route, the same in both hosts. */
export interface ByteAnswer extends Omit<PageAnswer, 'body'> {
  readonly body: PageAnswer['body'] | ByteStream;
}

export interface ByteRequest {
  readonly method: string;
  /** Percent-encoded, as in a URL, without the query. */
  readonly pathname: string;
  /** The request's `Range`, if it has one. */
  readonly range: string | null;
  readonly body: AsyncIterable<Uint8Array>;
}

type TileAnswer = Awaited<ReturnType<AppBytes['tile']>>;
type TileType = Extract<TileAnswer, { kind: 'tile' }>['type'];

const tilePath = /^\/tiles\/([0-9a-f]{16})\/(0|[1-9]\d?)\/(0|[1-9]\d{0,8})\/(0|[1-9]\d{0,8})$/;
const spoolPath = /^\/spool\/([0-9a-f]{16})$/;
const exportPath = /^\/export\/([0-9a-f]{32})$/;
const evidencePath = /^\/evidence\/([0-9a-f]{32})$/;
const deepestZoom = 30;

const types: Readonly<Record<TileType, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  mvt: 'application/x-protobuf',
};

/**
 * Answers an admitted page's request for bytes, the same in both hosts. A path is matched as it came, without decoding
 * or joining, so that only exact routes match. Never rejects.
 */
export async function answerBytes(app: App, request: ByteRequest): Promise<ByteAnswer> {
  const { method, pathname, body } = request;
  const tile = tilePath.exec(pathname);
  if (tile) {
    const [z, x, y] = [Number(tile[2]), Number(tile[3]), Number(tile[4])];
    const side = 2 ** z;
    if (z > deepestZoom || x >= side || y >= side) return refusal(404, 'There is nothing here.');
    if (method !== 'GET') return refusal(405, 'This address only answers GET.', { allow: 'GET' });
    return tileAnswer(await app.bytes.tile(tile[1] ?? '', z, x, y));
  }
  const spool = spoolPath.exec(pathname);
  if (spool) {
    if (method !== 'PUT') return refusal(405, 'This address only answers PUT.', { allow: 'PUT' });
    return spoolAnswer(await app.bytes.spool(spool[1] ?? '', body));
  }
  const exported = exportPath.exec(pathname);
  if (exported) {
    if (method !== 'GET') return refusal(405, 'This address only answers GET.', { allow: 'GET' });
    return exportAnswer(app.bytes.exported(exported[1] ?? ''));
  }
  const evidence = evidencePath.exec(pathname);
  if (evidence) {
    if (method !== 'GET') return refusal(405, 'This address only answers GET.', { allow: 'GET' });
    return evidenceAnswer(app.bytes.evidence(evidence[1] ?? ''), request.range);
  }
  return refusal(404, 'There is nothing here.');
}

/** A page shows evidence with this type, which the console found from the bytes. Other files are only saved. */
function evidenceAnswer(opened: ReturnType<AppBytes['evidence']>, range: string | null): ByteAnswer {
  if (opened === null) return refusal(404, 'There is nothing here.');
  const { bytes, mediaType, isShown, signal } = opened;
  const part = partOf(range, bytes);
  if (part === null) {
    return refusal(416, 'There are no such bytes.', { 'content-range': `bytes */${String(bytes)}` });
  }
  const { start, end } = part;
  const headers = {
    ...bytesHeaders(),
    'content-type': isShown ? mediaType : 'application/octet-stream',
    'content-disposition': isShown ? 'inline' : 'attachment',
    'accept-ranges': 'bytes',
    'content-length': String(end - start),
    ...(range === null
      ? {}
      : { 'content-range': `bytes ${String(start)}-${String(end - 1)}/${String(bytes)}` }),
  };
  return { status: range === null ? 200 : 206, headers, body: { pieces: opened.pieces(start, end), signal } };
}

/** The bytes of one range; null when it is empty, or not a single range. */
function partOf(
  range: string | null,
  bytes: number,
): { readonly start: number; readonly end: number } | null {
  if (range === null) return { start: 0, end: bytes };
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.trim()) ?? [];
  if (first === '' && last === '') return null;
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes : Math.min(bytes, Number(last) + 1);
  return start < end ? { start, end } : null;
}

function exportAnswer(exported: ReturnType<AppBytes['exported']>): ByteAnswer {
  if (exported === null) return refusal(404, 'There is nothing here.');
  if (exported instanceof Uint8Array) {
    const headers = { ...bytesHeaders(), 'content-type': 'application/octet-stream' };
    return { status: 200, headers, body: new Uint8Array(exported) };
  }
  const { fileName, mediaType } = exported;
  const headers = {
    ...bytesHeaders(),
    'content-type': mediaType,
    // The names of exports have only letters, digits, dots and hyphens.
    'content-disposition': `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, '_')}"`,
  };
  return { status: 200, headers, body: exported };
}

function tileAnswer(answer: TileAnswer): PageAnswer {
  switch (answer.kind) {
    case 'tile':
      return {
        status: 200,
        headers: { ...bytesHeaders(), 'content-type': types[answer.type] },
        body: new Uint8Array(answer.bytes),
      };
    // MapLibre draws nothing for 204. For 404 it draws part of the tile of a lower zoom.
    case 'empty':
      return { status: 204, headers: bytesHeaders(), body: new Uint8Array(0) };
    case 'missing':
    case 'unknown':
      return refusal(404, 'There is nothing here.');
    case 'locked':
      return refusal(403, 'The console is locked.');
  }
}

/** The state tells the page why its file was refused; the status, any client that it was. */
function spoolAnswer(answer: Awaited<ReturnType<AppBytes['spool']>>): PageAnswer {
  switch (answer) {
    case 'kept':
      return { status: 204, headers: bytesHeaders(), body: new Uint8Array(0) };
    case 'refused':
      return refusal(422, 'This file was not taken.');
    case 'unknown':
      return refusal(404, 'No such file was announced.');
    case 'busy':
      return refusal(409, 'This file is being received already.');
    case 'locked':
      return refusal(403, 'The console is locked.');
  }
}

const bytesHeaders = (): Record<string, string> => ({
  ...securityHeaders(freshNonce()),
  'cache-control': 'no-store',
});

const refusal = (status: number, words: string, more: Record<string, string> = {}): PageAnswer => ({
  status,
  headers: { ...bytesHeaders(), 'content-type': 'text/plain; charset=utf-8', ...more },
  body: new TextEncoder().encode(`${words}\n`),
});
