import type { Random } from '../../../base/ports.ts';

/** The most open tickets: a viewer shows two files, a list some tens of small pictures. */
const mostOpen = 64;

interface OpenTicket {
  readonly content: string;
  readonly controller: AbortController;
}

/** The stored files that a page may read now, under names that cannot be guessed. */
export class Tickets {
  readonly #random: Random;
  /** The oldest first. */
  readonly #open = new Map<string, OpenTicket>();

  constructor({ random }: { readonly random: Random }) {
    this.#random = random;
  }

  /** Beyond the limit the oldest ticket closes: a page that was reloaded did not close its own. */
  issue(content: string): string {
    const ticket = Buffer.from(this.#random.bytes(16)).toString('hex');
    this.#open.set(ticket, { content, controller: new AbortController() });
    const [earliest] = this.#open.keys();
    if (this.#open.size > mostOpen && earliest !== undefined) this.close(earliest);
    return ticket;
  }

  /** `signal` is aborted when the ticket closes, which ends a running read. */
  find(ticket: string): { readonly content: string; readonly signal: AbortSignal } | null {
    const open = this.#open.get(ticket);
    return open === undefined ? null : { content: open.content, signal: open.controller.signal };
  }

  close(ticket: string): void {
    this.#open.get(ticket)?.controller.abort();
    this.#open.delete(ticket);
  }

  /** Whether a page shows the content: then it is not removed to make room. */
  holds(content: string): boolean {
    return [...this.#open.values()].some((open) => open.content === content);
  }

  clear(): void {
    for (const ticket of [...this.#open.keys()]) this.close(ticket);
  }
}
