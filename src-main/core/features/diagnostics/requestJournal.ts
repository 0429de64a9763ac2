import type { RequestLine } from '../../../../src-preload/contract/index.ts';

/** How many requests are remembered. */
const mostLines = 500;

/** The latest requests to the service, in memory only. */
export class RequestJournal {
  readonly #lines: RequestLine[] = [];

  note(line: RequestLine): void {
    this.#lines.push(line);
    if (this.#lines.length > mostLines) this.#lines.shift();
  }

  /** The latest first. */
  lines(): RequestLine[] {
    return this.#lines.toReversed();
  }
}
