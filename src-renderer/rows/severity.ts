/** The severities that have a colour and a glyph of their own; every other text shows as unknown. */
export const severityNames = ['unknown', 'low', 'medium', 'high', 'critical'] as const;
export type SeverityName = (typeof severityNames)[number];

/**
 * How bad a severity is: 4 critical, 3 high, 2 medium, 1 low, 0 anything else.
 *
 * The set of severities is open (interface: IncidentResponse), so a text that is not one of the four
 * is drawn as unknown and never guessed at. Case is ignored: "High" is not another severity.
 */
export function severityRank(text: string): number {
  const rank = severityNames.indexOf(text.toLowerCase() as SeverityName);
  return rank < 0 ? 0 : rank;
}

/** The name behind a severity as it came on the wire, or `unknown`. */
export function severityNameOf(text: string): SeverityName {
  return severityNames[severityRank(text)] ?? 'unknown';
}

/** The rank of every entry of a severity dictionary, so that a pass over rows compares numbers. */
export function severityRanks(dictionary: readonly string[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(dictionary, severityRank);
}
