import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { EventSink, OpenedStream, TrainingAnswer } from '../../../src-main/training/answer.ts';
import type { Admission, Arrival, Delivery, Passage } from '../../../src-main/training/faults.ts';
import { FaultPlan } from './faultPlan.ts';
import { Tally } from './tally.ts';

/** Stands before the admission of both APIs: counts requests and answers, plans faults, strands connections. */
export class Traffic {
  readonly tally = new Tally();
  readonly plan = new FaultPlan();
  /** JSON texts that every list of incidents ends with. */
  readonly strays: string[] = [];
  /** What every upload that was taken is answered with; null lets the answer name its CID. */
  uploadAnswer: { readonly status: number; readonly body: string } | null = null;
  /** Uploads whose answer named its CID: an answer may be lost on its way. */
  provenUploads = 0;
  /** The overall text of Infrastructure's health; null lets it follow from the integrations. */
  overall: string | null = null;
  #held = 0;
  #streams = 0;
  readonly #stranded = new WeakSet<Socket>();

  /** Requests that came whole and wait: for a timer of the clock, or for nothing at all. */
  get held(): number {
    return this.#held;
  }

  /** Streams of events that are open. */
  get streams(): number {
    return this.#streams;
  }

  strand(connections: Iterable<Socket>): void {
    for (const socket of connections) this.#stranded.add(socket);
  }

  readonly intercept =
    (admit: Admission): Admission =>
    (arrival) => {
      const { request, response, path } = arrival;
      if (this.#stranded.has(request.socket)) {
        this.#hold(response);
        return null;
      }
      this.tally.request(request.method ?? '', path ?? '(unknown)');
      const passage = admit(arrival, this.plan.take(path));
      if (passage?.fault === 'cut-request') this.tally.status('none');
      return passage && this.#counted(passage, arrival);
    };

  #counted(passage: Passage, arrival: Arrival): Passage {
    const { fault } = passage;
    return {
      fault,
      wait: async () => {
        this.#held += 1;
        try {
          return await passage.wait();
        } finally {
          this.#held -= 1;
        }
      },
      deliver: (answered) => {
        const delivery = passage.deliver(fault === 'none' ? this.#changed(answered, arrival) : answered);
        if (delivery.kind === 'stream')
          return { ...delivery, open: (sink) => delivery.open(this.#watched(sink, arrival)) };
        if (delivery.kind === 'hang') this.#hold(arrival.response);
        this.tally.status(statusOf(delivery));
        return delivery;
      },
    };
  }

  /** The answer with what a service should not send. */
  #changed<A extends TrainingAnswer | OpenedStream>(answered: A, { path }: Arrival): A {
    if ('open' in answered) return answered;
    if (path === '/storage' && answered.status === 201) {
      if (this.uploadAnswer === null) this.provenUploads += 1;
      return { ...answered, ...this.uploadAnswer };
    }
    if (answered.status !== 200) return answered;
    const { body } = answered;
    if (path === '/incidents' && this.strays.length > 0) {
      const end = body.lastIndexOf(']');
      const stray = `${body[end - 1] === '[' ? '' : ','}${this.strays.join(',')}`;
      return { ...answered, body: `${body.slice(0, end)}${stray}${body.slice(end)}` };
    }
    if (path === '/health' && this.overall !== null && body.includes('"ledger"')) {
      const report = JSON.parse(body) as Record<string, unknown>;
      return { ...answered, body: JSON.stringify({ ...report, status: this.overall }) };
    }
    return answered;
  }

  /** Counts a stream. What is written to a stranded connection never leaves. */
  #watched(sink: EventSink, { request }: Arrival): EventSink {
    this.tally.status(200);
    this.#streams += 1;
    sink.onClose(() => (this.#streams -= 1));
    const dead = (): boolean => this.#stranded.has(request.socket);
    return {
      write: (bytes) => {
        if (!dead()) sink.write(bytes);
      },
      get waiting() {
        return sink.waiting;
      },
      end: () => {
        if (!dead()) sink.end();
      },
      onClose: (run) => sink.onClose(run),
    };
  }

  /** Held until the client gives up. */
  #hold(response: ServerResponse): void {
    if (response.destroyed) return;
    this.#held += 1;
    response.once('close', () => (this.#held -= 1));
  }
}

const statusOf = (delivery: Delivery): number | 'none' =>
  delivery.kind === 'whole' ? delivery.answer.status : 'none';
