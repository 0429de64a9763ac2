import type { Clock } from '../core/base/ports.ts';
import { one, refusal, type EventRoute } from './answer.ts';
import { EventStream, type StreamMode } from './eventStream.ts';
import { paths } from './paths.ts';

/** How many events can be caught up with after a break. */
const kept = 1_000;

interface LoggedEvent {
  readonly number: number;
  readonly id: string;
  readonly frame: Uint8Array;
}

/** What happened lately, as server-sent events, and who listens to it (interface: Events). */
export class EventLog {
  readonly #clock: Clock;
  readonly #mode: () => StreamMode;
  readonly #events: LoggedEvent[] = [];
  readonly #streams = new Set<EventStream>();
  #last = 0;

  constructor(clock: Clock, mode: () => StreamMode) {
    this.#clock = clock;
    this.#mode = mode;
  }

  /** Sends an event to all listeners. Text is sent as it is, anything else as JSON; `kind` null means no name. */
  publish(kind: string | null, data: unknown, id?: string): void {
    this.#last += 1;
    const named = id ?? String(this.#last);
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
    const frame = `id: ${named}\n${kind === null ? '' : `event: ${kind}\n`}${lines.join('')}\n`;
    this.#events.push({ number: this.#last, id: named, frame: Buffer.from(frame) });
    // In batches: taking one off the front of a list moves all the others.
    if (this.#events.length >= 2 * kept) this.#events.splice(0, this.#events.length - kept);
    for (const stream of this.#streams) stream.pump();
  }

  /** Makes the open streams behave as the switch says now. */
  modeChanged(): void {
    for (const stream of this.#streams) stream.setMode(this.#mode());
  }

  /** Ends every stream. */
  end(): void {
    for (const stream of this.#streams) stream.end();
  }

  /** `GET /events`: what came after `Last-Event-ID`, then what comes. */
  route(): EventRoute {
    return {
      kind: 'events',
      method: 'GET',
      path: paths.events,
      access: 'bearer',
      refuse: ({ switches }) =>
        switches.eventStream === 'refused' ? refusal(503, 'The event stream is not available') : null,
      open: ({ headers }, sink) => {
        const stream = new EventStream({
          clock: this.#clock,
          sink,
          after: (number) => this.#after(number),
          from: this.#placeOf(one(headers['last-event-id'])),
          mode: this.#mode(),
        });
        this.#streams.add(stream);
        sink.onClose(() => this.#streams.delete(stream));
      },
    };
  }

  #after(number: number): LoggedEvent | null {
    const first = this.#events.at(-kept) ?? this.#events[0];
    if (!first) return null;
    const from = Math.max(number + 1, first.number);
    return this.#events[from - (this.#events[0]?.number ?? from)] ?? null;
  }

  /** The number of the event named by `id`; of the last one when that is no longer known. */
  #placeOf(id: string | undefined): number {
    if (id === undefined) return this.#last;
    const found = this.#events.findLast((event) => event.id === id);
    if (found) return found.number;
    // An id of this log, older than the stored events: all of those follow.
    return /^\d{1,15}$/.test(id) && Number(id) <= this.#last ? Number(id) : this.#last;
  }
}
