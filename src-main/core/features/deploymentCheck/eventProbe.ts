import { createParser } from 'eventsource-parser';
import type { Clock } from '../../base/ports.ts';
import type { Answer } from '../../service/transport/request.ts';
import type { Asker } from './asker.ts';
import { reasonOf, type Findings } from './findings.ts';

/** Where a stream may be: the specification names none. */
const eventPaths = ['/events', '/events/stream', '/stream'];
/** A stream that sends more in the time is not read on. */
const mostBytes = 1_048_576;

interface Heard {
  readonly events: number;
  readonly kinds: ReadonlySet<string>;
  /** Comments, by which a service shows that a quiet stream is alive. */
  readonly comments: number;
  readonly bytes: number;
  /** Whether the service ended the stream. */
  readonly ended: boolean;
  /** Lines that are no field of a stream, or bytes that are no text. */
  readonly faulty: number;
}

/** Opens the stream where the deployment file says, else where one may be, and listens for a while. */
export async function lookAtEvents(options: {
  readonly path: string | null;
  readonly asker: Asker;
  readonly findings: Findings;
  readonly clock: Clock;
  readonly listenMs: number;
}): Promise<void> {
  const { path, asker, findings, clock, listenMs } = options;
  const paths = path === null ? eventPaths : [path];
  let reason = 'not-found';
  for (const tried of paths) {
    const ending = new AbortController();
    const asked = await asker.get({
      api: 'coordination',
      path: tried,
      withToken: true,
      stream: ending.signal,
    });
    if (asked.kind === 'withheld') {
      reason = asked.reason;
      break;
    }
    const why = reasonOf(asked);
    const isStream = asked.kind === 'answer' && isEventStream(asked.answer);
    if (asked.kind === 'answer' && isStream) {
      const heard = await listen({ answer: asked.answer, ending, clock, listenMs });
      findings.seen('events', {
        path: tried,
        listenedMs: listenMs,
        events: heard.events,
        kinds: findings.names(heard.kinds),
        comments: heard.comments,
        bytes: heard.bytes,
        faulty: heard.faulty,
        ended: heard.ended,
      });
      return;
    }
    ending.abort();
    if (why !== 'not-found') reason = why ?? 'no-stream';
  }
  findings.notSeen('events', reason, { tried: paths });
}

const isEventStream = ({ headers }: Answer): boolean =>
  /^\s*text\/event-stream\b/i.test(headers['content-type'] ?? '');

async function listen(options: {
  readonly answer: Answer;
  readonly ending: AbortController;
  readonly clock: Clock;
  readonly listenMs: number;
}): Promise<Heard> {
  const { answer, ending, clock, listenMs } = options;
  const kinds = new Set<string>();
  let [events, comments, bytes, faulty, ended] = [0, 0, 0, 0, false];
  const parser = createParser({
    onEvent: ({ event }) => {
      events += 1;
      kinds.add(event ?? 'message');
    },
    onComment: () => (comments += 1),
    onError: () => (faulty += 1),
  });
  const cancel = clock.schedule(listenMs, () => ending.abort());
  const decoder = new TextDecoder('utf-8');
  try {
    for await (const part of answer.body as AsyncIterable<Uint8Array>) {
      bytes += part.byteLength;
      const text = decoder.decode(part, { stream: true });
      if (text.includes('\uFFFD')) faulty += 1;
      parser.feed(text);
      if (bytes > mostBytes) break;
    }
    ended = !ending.signal.aborted && bytes <= mostBytes;
  } catch {
    // The end of the listening, or a cut connection.
    ended = !ending.signal.aborted;
  } finally {
    cancel();
    ending.abort();
  }
  return { events, kinds, comments, bytes, ended, faulty };
}
