import type { WebContents } from 'electron';
import type { Logger } from '../../core/base/ports.ts';

/** A page that goes wrong in a loop must not fill the log: so many lines for each document. */
const mostLines = 20;

/**
 * Logs the errors of a page's console by their kind and place: what broke there, or what the page's policy
 * refused. Never their words, which may repeat what an operator wrote.
 */
export function logPageConsole(options: {
  readonly contents: WebContents;
  /** Which window it is. */
  readonly form: string;
  readonly logger: Logger;
}): void {
  const { contents, form, logger } = options;
  let lines = 0;
  contents.on('did-navigate', () => (lines = 0));
  contents.on('console-message', ({ level, message, lineNumber, sourceId }) => {
    if (level !== 'error' || lines >= mostLines) return;
    lines += 1;
    const kind =
      /^(?:Uncaught )?(?:\(in promise\) )?([A-Z][A-Za-z]{0,40}Error)\b/.exec(message)?.[1] ?? 'other';
    const source = URL.canParse(sourceId) ? new URL(sourceId).pathname.slice(0, 128) : 'unknown';
    logger.error('page-console', { form, kind, source, line: lineNumber });
  });
}
