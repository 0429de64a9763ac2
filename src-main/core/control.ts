import type { UpdateHost } from './updates/updateHost.ts';

/** What only a desktop can do for the console. */
export interface DesktopControl {
  /** Whether this system shows a tray. */
  readonly tray: boolean;
  /** Null where this system cannot be told to start the console. */
  startsAtLogin(): Promise<boolean | null>;
  /** False when the system refused. */
  setStartAtLogin(on: boolean): Promise<boolean>;
}

/** A fact for the diagnostics page: short, and nothing that is secret. */
export interface HostFact {
  readonly section: 'runtime' | 'features';
  readonly name: string;
  readonly value: string;
}

/** What the host does for the console that it carries. */
export interface HostControl {
  /** Ends the console, as its administrator asked. */
  leave(): void;
  /** Null in the browser host. */
  readonly desktop: DesktopControl | null;
  /** Null where a host knows nothing of updates. */
  readonly updates: UpdateHost | null;
  facts(): Promise<readonly HostFact[]>;
  /** A thread of the console keeps dying and is not started again. Absent where nothing is done about it. */
  workerLost?(name: string): void;
}

/** A host that can do nothing of it. */
export const noControl: HostControl = {
  leave: () => undefined,
  desktop: null,
  updates: null,
  facts: () => Promise.resolve([]),
};
