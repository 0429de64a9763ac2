import type { TrainingSwitches } from '../../src-preload/contract/index.ts';
import type { Clock } from '../core/base/ports.ts';
import type { EventSink } from './answer.ts';

const heartbeatMs = 15_000;
const slowByteMs = 1_000;
/** What may wait for a client that does not read; beyond it the connection ends and may be made again. */
const mostWaiting = 64 * 1024 * 1024;

const comment = Buffer.from(':\n\n');

/** No parser may stumble over these, and none of them names an id. */
const malformed = [
  Buffer.from('event\n\n'),
  Buffer.from([0x3a, 0xff, 0xfe, 0xc3, 0x28, 0x0a, 0x0a]),
  Buffer.from('data: {"incident_id": \n\n'),
  Buffer.from('retry: soon\nid: a\0b\ndata\n\n'),
  Buffer.from('event: incident.changed\ndata: [[[[[[\ndata:\xa0\n\n', 'latin1'),
  Buffer.from('no colon at all and no end of it\r\r\n\n'),
];

export type StreamMode = TrainingSwitches['eventStream'];

interface EventStreamOptions {
  readonly clock: Clock;
  readonly sink: EventSink;
  /** The frame after the one numbered `number`, null when there is none yet. */
  readonly after: (number: number) => { readonly number: number; readonly frame: Uint8Array } | null;
  /** The number of the last event that the client has. */
  readonly from: number;
  readonly mode: StreamMode;
}

/** One client of the events. It reads the log at its own pace, so a slow one keeps nothing in memory. */
export class EventStream {
  readonly #options: EventStreamOptions;
  #mode: StreamMode;
  #sent: number;
  #drip: Uint8Array = new Uint8Array();
  #garbled = 0;
  #cancel = (): void => undefined;
  #ended = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#mode = options.mode;
    this.#sent = options.from;
    options.sink.onClose(() => this.#stop());
    this.#arm();
    this.pump();
  }

  setMode(mode: StreamMode): void {
    if (this.#ended || mode === this.#mode) return;
    this.#mode = mode;
    if (mode === 'refused') {
      this.end();
      return;
    }
    if (mode !== 'slow' && mode !== 'silent') {
      // A frame that was begun is ended first.
      this.#write(this.#drip);
      this.#drip = new Uint8Array();
    }
    this.#arm();
    this.pump();
  }

  /** Sends what there is, as its mode has it. */
  pump(): void {
    const { after, sink } = this.#options;
    if (this.#mode === 'silent' || this.#mode === 'slow') return;
    for (let next = after(this.#sent); next !== null && !this.#ended; next = after(this.#sent)) {
      this.#sent = next.number;
      if (this.#mode === 'garbage') {
        this.#write(malformed[this.#garbled % malformed.length] ?? comment);
        this.#garbled += 1;
      }
      this.#write(next.frame);
      if (this.#mode === 'ends' || sink.waiting > mostWaiting) this.end();
    }
  }

  end(): void {
    this.#stop();
    this.#options.sink.end();
  }

  #stop(): void {
    this.#ended = true;
    this.#cancel();
  }

  #write(bytes: Uint8Array): void {
    if (!this.#ended && bytes.byteLength > 0) this.#options.sink.write(bytes);
  }

  #arm(): void {
    this.#cancel();
    if (this.#mode === 'silent' || this.#ended) return;
    this.#cancel = this.#options.clock.schedule(this.#mode === 'slow' ? slowByteMs : heartbeatMs, () => {
      if (this.#mode === 'slow') this.#dripOne();
      else this.#write(comment);
      this.#arm();
    });
  }

  #dripOne(): void {
    if (this.#drip.byteLength === 0) {
      const next = this.#options.after(this.#sent);
      if (next) this.#sent = next.number;
      this.#drip = next?.frame ?? comment;
    }
    this.#write(this.#drip.subarray(0, 1));
    this.#drip = this.#drip.subarray(1);
  }
}
