/** How a transfer ended, for the host that carried it. */
export type SpoolAnswer = 'kept' | 'refused' | 'unknown' | 'busy' | 'locked';
