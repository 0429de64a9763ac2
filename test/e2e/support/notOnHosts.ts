/** What the projects of playwright.config.ts run the console in. */
export type Host = 'browser' | 'packed' | 'stand-in' | 'desktop';

/** Tests of one spec that have no meaning in some hosts, or cannot run there. */
export interface NotOnHosts {
  /** The spec's file, without `.spec.ts`. */
  readonly spec: string;
  /** The title of the test, or of the group around several; null stands for the whole spec. */
  readonly title: string | null;
  readonly hosts: readonly Host[];
  /** What the run says where it skips them, and the table of docs/testing.md. */
  readonly why: string;
}

/** Every reason of a host to skip an end-to-end test: the specs themselves name none (build/lint/restrictions.ts). */
export const notOnHosts: readonly NotOnHosts[] = [
  {
    spec: 'alarms',
    title: 'of two windows one sounds, and when it closes the other takes over',
    hosts: ['stand-in', 'desktop'],
    why: 'a desktop’s second window closes with the first',
  },
  {
    spec: 'deployments',
    title: 'a second console on the same data folder leaves with status 3',
    hosts: ['stand-in', 'desktop'],
    why: 'a desktop brings its first window forward; `desktop` tries that',
  },
  {
    spec: 'desktop',
    title: 'a page whose process dies comes back by itself, in its session',
    hosts: ['desktop'],
    why: 'the driver of Electron holds on to a page that died',
  },
  {
    spec: 'exports',
    title: 'a large export tells how far it is, and ends when it is cancelled',
    hosts: ['stand-in'],
    why: 'no line holds up what a desktop writes to its disk',
  },
  {
    spec: 'exports',
    title: null,
    hosts: ['desktop'],
    why: 'a desktop asks with a dialog of the system where to save; `test/hosts/exports.test.ts` tries that',
  },
  {
    spec: 'handover',
    title: 'a note is saved although the pin before it is still under way',
    hosts: ['desktop'],
    why: 'the test holds up the process of the console, which has to be one of its own',
  },
  {
    spec: 'languages',
    title: 'words that are two fifths longer, or read from right to left, fit at 1024 by 768',
    hosts: ['stand-in'],
    why: 'the test asks for the words by HTTP/1, which the stand-in does not speak',
  },
  {
    spec: 'pictures',
    title: null,
    hosts: ['packed', 'stand-in', 'desktop'],
    why: 'they are of the browser host',
  },
  {
    spec: 'recovery',
    title: null,
    hosts: ['stand-in', 'desktop'],
    why: 'they kill a browser’s page, tab and process; `desktop` and `test/hosts/desktop/recovery.test.ts` try those of a desktop',
  },
  {
    spec: 'settings',
    title: 'the time to the lock is kept, and a browser has neither size, login nor tray to set',
    hosts: ['stand-in', 'desktop'],
    why: 'a desktop has all of them to set',
  },
  {
    spec: 'updates',
    title: 'a browser host leaves updates to its administrator',
    hosts: ['stand-in', 'desktop'],
    why: 'a desktop brings its own updates',
  },
  {
    spec: 'updates',
    title: 'where a desktop’s updates are',
    hosts: ['packed', 'stand-in', 'desktop'],
    why: 'they compose a console from the source; “the desktop application, out of an AppImage” takes the built one through an update',
  },
  {
    spec: 'updates',
    title: 'the desktop application, out of an AppImage',
    hosts: ['desktop'],
    why: 'a packaged console believes the keys that it was built with, and no others',
  },
  {
    spec: 'walkthrough',
    title: null,
    hosts: ['stand-in', 'desktop'],
    why: 'a desktop saves by a dialog and not as a download; `exports` tries that',
  },
];

/**
 * Why a test does not run in a host, or null where it does.
 *
 * @param titles The test's own title and those of the groups around it.
 */
export const reasonNotToRun = (host: unknown, spec: string, titles: readonly string[]): string | null =>
  notOnHosts.find(
    (entry) =>
      entry.spec === spec &&
      entry.hosts.some((named) => named === host) &&
      (entry.title === null || titles.includes(entry.title)),
  )?.why ?? null;
