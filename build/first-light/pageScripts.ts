import { z } from 'zod';
import { desktopProof, proofHeader } from '../../src-preload/contract/index.ts';
import type { Question } from '../../src-main/hosts/desktop/selfTest/pageWatch.ts';

/** The answer of a `Question.script` when the console refused its request. */
const refusedSchema = z.strictObject({ refused: z.string().max(200) });

export const isRefused = (answer: object): answer is z.infer<typeof refusedSchema> => 'refused' in answer;

/** When the document started and first painted, Unix milliseconds; `painted` is null before that. */
export const timesOfDocument: Question<{ begun: number; painted: number | null; map: string | null }> = {
  script: `(() => {
  const [paint] = performance.getEntriesByName('first-paint');
  return {
    begun: performance.timeOrigin,
    painted: paint === undefined ? null : performance.timeOrigin + paint.startTime,
    map: document.querySelector('[data-map-state]')?.getAttribute('data-map-state') ?? null,
  };
})()`,
  answer: z.strictObject({ begun: z.number(), painted: z.number().nullable(), map: z.string().nullable() }),
};

/** The renderer of WebGL; null where there is none. */
export const graphicsName: Question<{ name: string | null }> = {
  script: `(() => {
  const gl = document.createElement('canvas').getContext('webgl2');
  const named = gl?.getExtension('WEBGL_debug_renderer_info');
  if (!gl) return { name: null };
  return { name: String(gl.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : gl.RENDERER)).slice(0, 256) };
})()`,
  answer: z.strictObject({ name: z.string().nullable() }),
};

export const notificationPermission: Question<{ permission: string }> = {
  script: `({ permission: Notification.permission })`,
  answer: z.strictObject({ permission: z.string() }),
};

/** The page of a console that has stopped: it has the preload, but does not subscribe. */
export const quietPage = '/stopped.html';
export const atQuietPage: Question<{ quiet: boolean }> = {
  script: `({ quiet: location.pathname === '${quietPage}' && typeof globalThis.fieldConsole === 'object' })`,
  answer: z.strictObject({ quiet: z.boolean() }),
};

/** The console's own page, with its preload. */
export const atFirstPage: Question<{ there: boolean }> = {
  script: `({ there: location.pathname === '/' && typeof globalThis.fieldConsole === 'object' })`,
  answer: z.strictObject({ there: z.boolean() }),
};

/** The bytes of a push that `receivedPush` takes. */
export const patternOf = (size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8)) % 256);

/** Subscribes, and computes the sum of the first push of `size` bytes as `sumOf` does. */
export const receivedPush = (size: number): Question<{ sum: number }> => ({
  script: `new Promise((done) => {
  const stop = fieldConsole.subscribe((push) => {
    if (!(push instanceof Uint8Array) || push.byteLength !== ${String(size)}) return;
    stop();
    let sum = 0;
    for (const byte of push) sum = (Math.imul(sum, 31) + byte) >>> 0;
    done({ sum });
  });
})`,
  answer: z.strictObject({ sum: z.number() }),
});

/** A number that changes when a byte or its place does. */
export function sumOf(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) sum = (Math.imul(sum, 31) + byte) >>> 0;
  return sum;
}

/** An upload as seen by the page: `taken` bytes were read, and the console answered with `status`, or cut it (0). */
const carriedSchema = z.strictObject({
  status: z.int(),
  taken: z.number(),
  milliseconds: z.number(),
  /** From the request to cancel until the end; null when nothing was cancelled. */
  endedAfter: z.number().nullable(),
});
export type Carried = z.infer<typeof carriedSchema> | z.infer<typeof refusedSchema>;

/**
 * Sends `megabytes` to the outbox, in the pieces in which Chromium reads a Blob. Cancels it after `cancelAt` megabytes;
 * null for never.
 */
export const carriedUpload = (megabytes: number, cancelAt: number | null): Question<Carried> => ({
  once: true,
  script: `(async () => {
  const { verbs } = fieldConsole;
  const megabyte = 1_048_576;
  const part = new Uint8Array(megabyte);
  for (let at = 0; at < megabyte; at += 65_536) crypto.getRandomValues(part.subarray(at, at + 65_536));
  const blob = new Blob(Array.from({ length: Math.min(64, ${String(megabytes)}) }, () => part));
  const bytes = ${String(megabytes)} * megabyte;
  const begun = await verbs.beginUpload({ fileName: 'self-test.bin', bytes, incidentId: null });
  if (!begun.ok) return { refused: begun.failure.code };
  const id = begun.value.uploadId;
  const cancelAt = ${cancelAt === null ? 'Infinity' : String(cancelAt)} * megabyte;
  let [taken, cancelledAt, reader] = [0, null, blob.stream().getReader()];
  const body = new ReadableStream({
    pull: async (pipe) => {
      let next = await reader.read();
      if (next.done && taken < bytes) {
        reader = blob.stream().getReader();
        next = await reader.read();
      }
      if (next.done) return pipe.close();
      taken += next.value.byteLength;
      pipe.enqueue(next.value);
      if (cancelledAt === null && taken >= cancelAt) {
        cancelledAt = performance.now();
        void verbs.cancelUpload({ id });
      }
    },
  }, { highWaterMark: 0 });
  const from = performance.now();
  const status = await fetch('/spool/' + id, {
    method: 'PUT', credentials: 'same-origin', body, duplex: 'half',
    headers: { '${proofHeader}': '${desktopProof}' },
  }).then((answer) => answer.status, () => 0);
  const now = performance.now();
  return {
    status, taken, milliseconds: now - from, endedAfter: cancelledAt === null ? null : now - cancelledAt,
  };
})()`,
  answer: z.union([refusedSchema, carriedSchema]),
});

/** Fetches the diagnostics bundle, as the page does to save it. */
export const fetchedBundle: Question<{ bytes: number; status: number } | z.infer<typeof refusedSchema>> = {
  once: true,
  script: `(async () => {
  const page = { userAgent: navigator.userAgent.slice(0, 512), webgl: null, language: 'en', pixelRatio: 1, size: '1x1' };
  const made = await fieldConsole.verbs.prepareBundle({ page });
  if (!made.ok) return { refused: made.failure.code };
  const answer = await fetch('/export/' + made.value.exportId, {
    credentials: 'same-origin', headers: { '${proofHeader}': '${desktopProof}' },
  });
  return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength };
})()`,
  answer: z.union([refusedSchema, z.strictObject({ bytes: z.number(), status: z.int() })]),
};

/** Of the quiet page: what the training deployment's account is called. Its preload is there, and nothing subscribed. */
export const trainingAccount: Question<{ username: string; password: string }> = {
  script: `new Promise((done) => {
  const stop = fieldConsole.subscribe((push) => {
    const account = push.slices?.training?.credentials;
    if (account === undefined) return;
    stop();
    done({ ...account });
  });
})`,
  answer: z.strictObject({ username: z.string(), password: z.string() }),
};

export const listedOne: Question<{ listed: boolean }> = {
  script: `({ listed: document.querySelector('[role="option"]') !== null })`,
  answer: z.strictObject({ listed: z.boolean() }),
};

/** Calls a verb; `failed` is the code of its failure, null when there was none. */
export const called = (verb: string, request: object): Question<{ failed: string | null }> => ({
  once: true,
  script: `fieldConsole.verbs.${verb}(${JSON.stringify(request)})
  .then((answer) => ({ failed: answer.ok ? null : answer.failure.code }))`,
  answer: z.strictObject({ failed: z.string().nullable() }),
});

/**
 * Fetches a video of the evidence, plays it from the console's own scheme, and goes to its middle, which takes a part of
 * the file. `found` is false where there is none.
 */
export const playedVideo: Question<
  { found: boolean; seconds: number; at: number } | z.infer<typeof refusedSchema>
> = {
  once: true,
  script: `(async () => {
  const { verbs } = fieldConsole;
  const pause = () => new Promise((done) => setTimeout(done, 200));
  const video = async () => {
    const read = await verbs.readEvidence({ incidentId: null, from: 0, count: 200 });
    if (!read.ok) return null;
    return read.value.items.find(
      ({ content, fields }) => content !== null && fields.some(({ json }) => json.startsWith('"video/')),
    );
  };
  await verbs.refreshEvidence({});
  let item = await video();
  for (let times = 0; item === undefined && times < 50; times += 1) {
    await pause();
    item = await video();
  }
  if (!item) return { found: false, seconds: 0, at: 0 };
  const loaded = await verbs.loadContent({ cid: item.cid, soon: true });
  if (!loaded.ok) return { refused: loaded.failure.code };
  while (['absent', 'queued', 'loading'].includes(item.content.state)) {
    await pause();
    item = await video();
  }
  const opened = await verbs.openContent({ cid: item.cid, unverified: false });
  if (!opened.ok) return { refused: opened.failure.code };
  const player = document.createElement('video');
  const comes = (name) =>
    new Promise((done, fail) => {
      player.addEventListener(name, done, { once: true });
      player.addEventListener('error', () => fail(new Error('The video was not played.')), { once: true });
    });
  const ready = comes('loadedmetadata');
  player.src = 'evidence/' + opened.value.ticket;
  try {
    await ready;
    const sought = comes('seeked');
    player.currentTime = player.duration / 2;
    await sought;
    return { found: true, seconds: player.duration, at: player.currentTime };
  } catch (error) {
    return { refused: error.message };
  } finally {
    player.removeAttribute('src');
    await verbs.closeContent({ ticket: opened.value.ticket });
  }
})()`,
  answer: z.union([
    refusedSchema,
    z.strictObject({ found: z.boolean(), seconds: z.number(), at: z.number() }),
  ]),
};
