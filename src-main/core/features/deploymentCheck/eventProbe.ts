import { createParser } from 'eventsource-parser';
import type { Clock } from '../../base/ports.ts';
import { smallAnswer } from '../../service/transport/answerBounds.ts';
import { parseSmall } from '../../service/transport/decodeJson.ts';
import type { Answer } from '../../service/transport/request.ts';
import { readPosition, type PositionRule } from '../drones/index.ts';
import type { Asker } from './asker.ts';
import { reasonOf, type Findings } from './findings.ts';

/** Paths that may have a stream: the specification names none. */
const eventPaths = ['/events', '/events/stream', '/stream'];
/** A stream that sends more than this within the time is not read further. */
const mostBytes = 1_048_576;

interface Heard {
  readonly events: number;
  readonly kinds: ReadonlySet<string>;
  /** Comments: a service sends them to show that a quiet stream is alive. */
  readonly comments: number;
  readonly bytes: number;
  /** Events that say where a drone is, and the number of drones in them. */
  readonly positions: number;
  readonly drones: number;
  /** Whether the service ended the stream. */
  readonly ended: boolean;
  /** Lines that are no field of a stream, or bytes that are not text. */
  readonly faulty: number;
}

/** Opens the stream at the path in the deployment file, or at one that may have it, and listens for a while. */
export async function lookAtEvents(options: {
  readonly path: string | null;
  readonly positions: PositionRule;
  readonly asker: Asker;
  readonly findings: Findings;
  readonly clock: Clock;
  readonly listenMs: number;
}): Promise<void> {
  const { path, positions, asker, findings, clock, listenMs } = options;
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
      const heard = await listen({ answer: asked.answer, positions, ending, clock, listenMs });
      // How long the check listened, and who ended the stream, is not known then.
      if (asker.stopped === 'cancelled') {
        findings.notSeen('events', 'cancelled', { tried });
        findings.notSeen('positions', positions === 'off' ? 'off' : 'cancelled');
        return;
      }
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
      sayPositions(heard, positions, findings);
      return;
    }
    ending.abort();
    if (why !== 'not-found') reason = why ?? 'no-stream';
  }
  findings.notSeen('events', reason, { tried: paths });
  findings.notSeen('positions', positions === 'off' ? 'off' : reason);
}

/** For fields that the file names it only says that they match: a value in the file that follows must be a text. */
function sayPositions({ events, positions, drones }: Heard, rule: PositionRule, findings: Findings): void {
  if (rule === 'off') return findings.notSeen('positions', 'off');
  if (positions === 0) return findings.notSeen('positions', 'no-position', { events });
  findings.seen('positions', {
    positions,
    drones,
    ...(rule === 'auto' ? { rule } : { fields: Object.values(rule) }),
  });
}

const isEventStream = ({ headers }: Answer): boolean =>
  /^\s*text\/event-stream\b/i.test(headers['content-type'] ?? '');

async function listen(options: {
  readonly answer: Answer;
  readonly positions: PositionRule;
  readonly ending: AbortController;
  readonly clock: Clock;
  readonly listenMs: number;
}): Promise<Heard> {
  const { answer, ending, clock, listenMs } = options;
  const kinds = new Set<string>();
  const drones = new Set<string>();
  let [events, comments, bytes, faulty, positions, ended] = [0, 0, 0, 0, 0, false];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      events += 1;
      kinds.add(event ?? 'message');
      const payload = parseSmall(data, smallAnswer);
      const read = { kind: event ?? '', payload, knowsIncident: () => false };
      const position = readPosition(read, options.positions);
      if (position === null) return;
      positions += 1;
      drones.add(position.id);
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
    // The time was over, or the connection broke.
    ended = !ending.signal.aborted;
  } finally {
    cancel();
    ending.abort();
  }
  return { events, kinds, comments, bytes, ended, faulty, positions, drones: drones.size };
}
