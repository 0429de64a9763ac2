import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import { EventBlocks } from './eventBlocks.ts';

/** One event of a stream, as it came. */
export interface StreamMessage {
  /** Empty where the service named none. */
  readonly kind: string;
  readonly data: string;
}

/** The first byte of a byte order mark in UTF-8. */
const markStart = 0xef;

/** Reads one stream of server-sent events from its bytes. Its memory does not grow with the stream. */
export class EventReader {
  readonly #blocks = new EventBlocks();
  readonly #parser: EventSourceParser;
  /** Rejects bytes that are not UTF-8. The parser handles a byte order mark. */
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #begun = false;
  #message: EventSourceMessage | null = null;
  #notText = 0;

  /**
   * `onId`: the id for `Last-Event-ID` after a break. `onRetry`: how long the service asks to wait before the next
   * connection, milliseconds.
   */
  constructor(onId: (id: string) => void, onRetry: (ms: number) => void) {
    this.#parser = createParser({
      onEvent: (message) => {
        this.#message = message;
      },
      onId,
      onRetry,
    });
  }

  /** Events that were too large, or not UTF-8. */
  get dropped(): number {
    return this.#blocks.tooLarge + this.#notText;
  }

  /** Yields the events that end in `bytes`, and sometimes null, so that others can have a turn. */
  *read(bytes: Uint8Array): Generator<StreamMessage | null> {
    if (!this.#begun && bytes.length > 0) {
      this.#begun = true;
      // Only a mark at the very start of a stream counts, not one before a later block.
      if (bytes[0] !== markStart) this.#parser.feed('\n');
    }
    for (const block of this.#blocks.take(bytes)) {
      if (block !== null) this.#feed(block, '\n');
      const message = this.#message;
      this.#message = null;
      yield message === null ? null : { kind: message.event ?? '', data: message.data };
    }
  }

  /** The stream ended. An unfinished event is dropped; a requested wait counts. */
  end(): void {
    this.#feed(this.#blocks.unfinished(), '');
  }

  #feed(block: Uint8Array, blankLine: string): void {
    let text: string;
    try {
      text = this.#decoder.decode(block);
    } catch {
      this.#notText += 1;
      return;
    }
    this.#parser.feed(text + blankLine);
  }
}
