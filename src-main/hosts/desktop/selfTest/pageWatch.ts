import type { BrowserWindow } from 'electron';
import type { z } from 'zod';
import type { Clock } from '../../../core/base/ports.ts';

/** How long a page may take, also on a machine with much other work, and how often it is checked, in milliseconds. */
const patienceMs = 180_000;
const lookEveryMs = 250;
/** A question without an answer for so long is asked again, milliseconds: its document may have been left. */
const askAgainMs = 15_000;

const unanswered = Symbol('unanswered');

/** Checks the page of a window from outside, with scripts that run in it. */
export interface PageWatch {
  /**
   * Asks until an answer is accepted.
   *
   * @throws Error with `otherwise` when none was accepted within 3 minutes, or `withinMs`.
   */
  until<T>(
    question: Question<T>,
    fits: (seen: T) => boolean,
    otherwise: string,
    withinMs?: number,
  ): Promise<T>;
}

/** A script and the form of its answer. An answer in another form is ignored. */
export interface Question<T> {
  readonly script: string;
  readonly answer: z.ZodType<T>;
  /** It does something, or takes long: each document is asked once. */
  readonly once?: true;
}

/** The part of a window that is checked. */
export interface Looked {
  readonly webContents: Pick<BrowserWindow['webContents'], 'executeJavaScript' | 'on'>;
}

export function watchPage(window: Looked, clock: Pick<Clock, 'elapsed' | 'schedule'>): PageWatch {
  const pause = (): Promise<null> => new Promise((done) => clock.schedule(lookEveryMs, () => done(null)));
  // A page that never finishes loading never answers: few questions wait for it, and the time still runs.
  let asked: { readonly script: string; readonly at: number; readonly answer: Promise<unknown> } | null =
    null;
  const forget = (): void => {
    asked = null;
  };
  // A question to a document that is gone may never be answered.
  window.webContents.on('did-navigate', forget);
  window.webContents.on('render-process-gone', forget);
  const ask = async ({ script, once }: Pick<Question<never>, 'script' | 'once'>): Promise<unknown> => {
    const now = clock.elapsed();
    if (asked?.script !== script || (once !== true && now - asked.at >= askAgainMs)) {
      const answer = window.webContents.executeJavaScript(script).catch(() => null);
      asked = { script, at: now, answer };
    }
    const mine = asked;
    const seen = await Promise.race([mine.answer, pause().then(() => unanswered)]);
    if (seen === unanswered) return null;
    // Only now: an answer that came between two checks must be there for the second.
    if (asked === mine) forget();
    return seen;
  };
  return {
    until: async (question, fits, otherwise, withinMs = patienceMs) => {
      for (const from = clock.elapsed(); clock.elapsed() - from < withinMs; await pause()) {
        const seen = question.answer.safeParse(await ask(question));
        if (seen.success && fits(seen.data)) return seen.data;
      }
      throw new Error(otherwise);
    },
  };
}
