import type { ConsoleState, IncidentDetail, VerbReply } from '../../src-preload/contract/index.ts';

/** A snapshot as JSON: the incident frame is base64. */
export interface RecordedPush {
  readonly slices: Partial<ConsoleState>;
  readonly incidents: string | null;
}

/** What record.ts writes. Each answer is the first page of its list. */
export interface Recorded {
  readonly signedOut: RecordedPush;
  readonly workspace: RecordedPush;
  /** By the key of the incident's row. */
  readonly details: Readonly<Record<number, IncidentDetail>>;
  readonly nearby: VerbReply<'readNearby'>;
  readonly evidence: VerbReply<'readEvidence'>;
  readonly uploads: VerbReply<'readUploads'>;
  readonly audit: VerbReply<'readAudit'>;
  readonly notes: VerbReply<'readNotes'>;
  readonly shift: VerbReply<'readShift'>;
  readonly diagnostics: VerbReply<'readDiagnostics'>;
  readonly selfTest: VerbReply<'runSelfTest'>;
}
