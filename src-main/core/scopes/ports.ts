import type { DesktopControl, HostFact, SecondWindow, SystemControl } from '../base/control.ts';
import type { BasePorts } from '../base/ports.ts';
import type { DiagnosticTools } from '../features/diagnostics/tools.ts';
import type { HandoverFiles } from '../features/notes/handover/handoverFiles.ts';
import type { UpdateHost } from '../features/updates/updateHost.ts';
import type { RecordFolders } from '../vault/records.ts';
import type { VaultStorage } from '../vault/storage.ts';

/** What the host does for the console that it carries. */
export interface HostControl {
  /** Ends the console, as its administrator asked. */
  leave(): void;
  /** Null in the browser host. */
  readonly desktop: DesktopControl | null;
  /** Null where a host knows nothing of updates. */
  readonly updates: UpdateHost | null;
  facts(): Promise<readonly HostFact[]>;
  /** Absent where a host has nothing of it to tell. */
  readonly system?: SystemControl;
  /**
   * Shows a second window with the map or the list only. Answers with the address that the page opens
   * itself, or null where the host has opened it. Absent where a host has one window and no more.
   */
  openWindow?(show: SecondWindow): string | null;
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

/** What the whole console needs from outside. */
export interface Ports extends BasePorts {
  readonly vaults: VaultStorage;
  readonly records: RecordFolders;
  readonly handovers: HandoverFiles;
  readonly diagnostics: DiagnosticTools;
  /** What the host does for the console that it carries. */
  readonly control: HostControl;
}
