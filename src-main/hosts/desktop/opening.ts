import { z } from 'zod';
import type { Logger } from '../../core/base/ports.ts';
import type { App } from '../../core/scopes/app.ts';
import { isLink } from './arguments.ts';
import type { DesktopElectron } from './electron.ts';

/** What a start, or another program of this user, asks the console to open. */
export interface Opened {
  /** Absolute path of a file; null for none. */
  readonly file: string | null;
  /** A `field-console:` link; null for none. */
  readonly link: string | null;
}

/** What a second start hands to the first. */
const handoverSchema = z.strictObject({
  file: z.string().max(4_096).nullable(),
  link: z.string().max(2_048).refine(isLink).nullable(),
});

export interface Openings {
  /** From now on openings, including earlier ones, go to `take`. */
  handTo(take: (opened: Opened) => void): void;
}

/** Collects what is to be opened: another start, and macOS, may hand it over before the console exists. */
export function gatherOpenings(options: {
  readonly app: Pick<DesktopElectron['app'], 'on'>;
  readonly first: Opened;
}): Openings {
  const { app, first } = options;
  const waiting: Opened[] = [first];
  let take = (opened: Opened): void => void waiting.push(opened);
  const add = (opened: Opened): boolean => {
    const something = opened.file !== null || opened.link !== null;
    if (something) take(opened);
    return something;
  };
  app.on('second-instance', (_event, _argv, _folder, data) => {
    // A start that opens nothing, or nothing readable, brings the window forward too.
    if (!receive(data)) take({ file: null, link: null });
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    receive({ file: path, link: null });
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    receive({ file: null, link: url });
  });
  const receive = (data: unknown): boolean => {
    const handover = handoverSchema.safeParse(data);
    return handover.success && add(handover.data);
  };
  return {
    handTo: (taker) => {
      take = taker;
      for (const opened of waiting.splice(0)) add(opened);
    },
  };
}

/**
 * Gives openings to the console. A kiosk accepts no link, and no file unless files may be dropped on it: its user must
 * not change what it shows.
 */
export function openIn(options: {
  readonly console: Pick<App, 'openFile' | 'openLink'>;
  readonly logger: Logger;
  readonly kiosk: boolean;
  readonly drop: boolean;
}): (opened: Opened) => void {
  const { console, logger, kiosk, drop } = options;
  const say = (what: string) => (result: Awaited<ReturnType<App['openFile']>>) => {
    if (!result.ok) logger.warn('opening-refused', { what, code: result.failure.code });
  };
  return ({ file, link }) => {
    if (file !== null) {
      if (!kiosk || drop) void console.openFile(file).then(say('file'));
      else logger.warn('opening-refused', { what: 'file', code: 'kiosk' });
    }
    if (link !== null) {
      if (!kiosk) void console.openLink(link).then(say('link'));
      else logger.warn('opening-refused', { what: 'link', code: 'kiosk' });
    }
  };
}
