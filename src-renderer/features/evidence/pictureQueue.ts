/** Pictures are decoded one by one: several at once would take a core from the map. */
interface Waiting {
  readonly cid: string;
  readonly heard: Set<(picture: ImageBitmap | null) => void>;
}

/** Small pictures that are held, so that scrolling back costs nothing: 256 of at most 24 KiB. */
const mostHeld = 256;
/** Twice the size that is shown, for screens with finer pixels. */
const width = 96;

/** Opens stored bytes; null where they are not shown. */
type Open = (cid: string) => Promise<{ readonly address: string; readonly ticket: string } | null>;

/**
 * Small pictures of large ones, made by the browser beside its main thread and held in memory only. What is asked for
 * last is made first, since it is what is on the screen; what scrolled away before its turn is not made.
 */
export class PictureQueue {
  readonly #open: Open;
  readonly #close: (ticket: string) => void;
  readonly #held = new Map<string, ImageBitmap>();
  readonly #waiting = new Map<string, Waiting>();
  #busy = false;

  constructor(open: Open, close: (ticket: string) => void) {
    this.#open = open;
    this.#close = close;
  }

  /** Calls back once, at once where it is held; null where it cannot be decoded. The returned function stops it. */
  ask(cid: string, heard: (picture: ImageBitmap | null) => void): () => void {
    const held = this.#held.get(cid);
    if (held !== undefined) {
      this.#held.delete(cid);
      this.#held.set(cid, held);
      heard(held);
      return () => undefined;
    }
    const waiting = this.#waiting.get(cid) ?? { cid, heard: new Set() };
    waiting.heard.add(heard);
    this.#waiting.delete(cid);
    this.#waiting.set(cid, waiting);
    void this.#go();
    return () => {
      waiting.heard.delete(heard);
      if (waiting.heard.size === 0 && this.#waiting.get(cid) === waiting) this.#waiting.delete(cid);
    };
  }

  clear(): void {
    this.#waiting.clear();
    for (const picture of this.#held.values()) picture.close();
    this.#held.clear();
  }

  async #go(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let next = [...this.#waiting.values()].at(-1); next; next = [...this.#waiting.values()].at(-1)) {
      const { cid, heard } = next;
      this.#waiting.delete(cid);
      const picture = await this.#make(cid);
      if (picture !== null) this.#hold(cid, picture);
      for (const hear of heard) hear(picture);
    }
    this.#busy = false;
  }

  #hold(cid: string, picture: ImageBitmap): void {
    this.#held.set(cid, picture);
    const [earliest] = this.#held;
    if (this.#held.size <= mostHeld || earliest === undefined) return;
    this.#held.delete(earliest[0]);
    // Not closed: a row may still show it. It is given back with its canvas.
  }

  async #make(cid: string): Promise<ImageBitmap | null> {
    const opened = await this.#open(cid);
    if (opened === null) return null;
    try {
      const response = await fetch(opened.address, { credentials: 'same-origin', cache: 'no-store' });
      if (!response.ok) return null;
      // The blob's bytes stay outside of the page, and are decoded there to the small size.
      return await createImageBitmap(await response.blob(), { resizeWidth: width, resizeQuality: 'medium' });
    } catch {
      return null;
    } finally {
      this.#close(opened.ticket);
    }
  }
}
