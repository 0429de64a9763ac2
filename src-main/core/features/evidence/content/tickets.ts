import type { Random } from '../../../base/ports.ts';

/** More are not open at once: a viewer shows two files, a list some tens of small pictures. */
const mostOpen = 64;

interface OpenTicket {
  readonly content: string;
  readonly controller: AbortController;
}

/** Which stored files a page may read now, under names that cannot be guessed. */
export class Tickets {
  readonly #random: Random;
  /** The earliest first. */
  readonly #open = new Map<string, OpenTicket>();

  constructor({ random }: { readonly random: Random }) {
    this.#random = random;
  }

  /** The earliest is closed for one too many: a page that was reloaded did not close those that it had. */
  issue(content: string): string {
    const ticket = Buffer.from(this.#random.bytes(16)).toString('hex');
    this.#open.set(ticket, { content, controller: new AbortController() });
    const [earliest] = this.#open.keys();
    if (this.#open.size > mostOpen && earliest !== undefined) this.close(earliest);
    return ticket;
  }

  /** `signal` is aborted when it is closed: what is still being read of it ends. */
  find(ticket: string): { readonly content: string; readonly signal: AbortSignal } | null {
    const open = this.#open.get(ticket);
    return open === undefined ? null : { content: open.content, signal: open.controller.signal };
  }

  close(ticket: string): void {
    this.#open.get(ticket)?.controller.abort();
    this.#open.delete(ticket);
  }

  /** Content that is being shown is not removed to make room. */
  holds(content: string): boolean {
    return [...this.#open.values()].some((open) => open.content === content);
  }

  clear(): void {
    for (const ticket of [...this.#open.keys()]) this.close(ticket);
  }
}
