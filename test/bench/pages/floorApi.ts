/** A page of the console as it stood: its style sheets, its root's attributes, its body. */
export interface PageCopy {
  readonly styles: readonly string[];
  /** Rules of style elements. */
  readonly ownStyles: string;
  readonly root: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the floor does when the same input comes that the console gets. */
export type FloorAct = 'find' | 'brush' | 'replay' | 'sort' | 'theme' | 'language';

export interface FloorPage {
  /** Puts a copy in place, over a bare map; resolves when both are drawn. `size`: of the table it looks through. */
  show(copy: PageCopy, size: number): Promise<void>;
  /**
   * Answers from now on to the input of one action; `other` is the same page in another language, or as a
   * replay begins.
   */
  act(act: FloorAct, other?: PageCopy): void;
  /** Ends what goes on by itself, such as a replay. */
  stop(): void;
}

declare global {
  interface Window {
    floor: FloorPage;
  }
}
