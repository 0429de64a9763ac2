import type { DesktopControl, HostFact, SecondWindow, SystemControl } from '../base/control.ts';
import type { BasePorts } from '../base/ports.ts';
import type { DiagnosticTools } from './diagnostics/tools.ts';
import type { HandoverFiles } from './notes/handover/handoverFiles.ts';
import type { UpdateHost } from './updates/updateHost.ts';
import type { Network } from '../service/transport/network.ts';
import type { RecordFolders } from '../vault/records.ts';
import type { VaultStorage } from '../vault/storage.ts';

/** What the host does for the console. */
export interface HostControl {
  /** Ends the console at its administrator's request. */
  leave(): void;
  /** Null in the browser host. */
  readonly desktop: DesktopControl | null;
  /** Null where a host has no updates. */
  readonly updates: UpdateHost | null;
  facts(): Promise<readonly HostFact[]>;
  /** Absent where a host cannot report it. */
  readonly system?: SystemControl;
  /**
   * Shows a second window with only the map or the list. Returns the address for the page to open, or null when the
   * host has opened it. Absent where a host has only one window.
   */
  openWindow?(show: SecondWindow): string | null;
  /** A thread failed repeatedly and is not started again. Absent where a host does nothing about it. */
  workerLost?(name: string): void;
}

/** For a host without any of these. */
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
  readonly network: Network;
  /** What the host does for the console. */
  readonly control: HostControl;
}
