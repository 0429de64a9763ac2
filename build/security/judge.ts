import type { Scan } from './scanner.ts';

export interface Acceptance {
  readonly id: string;
  readonly file: string;
  readonly reason: string;
}

/**
 * What is wrong with a scan, as sentences; none when all is well. Each finding must be accepted by id and
 * file with a reason, and each acceptance must be used: one that is not would hide the next finding.
 *
 * @param seeded a file that is bad on purpose, and what must be found in it
 */
export function judge(
  { what, given, read, errors, findings }: Scan & { readonly what: string },
  accepted: readonly Acceptance[],
  seeded: { readonly file: string; readonly ids: readonly string[] },
): readonly string[] {
  const problems = errors.map((error) => `${what}: error parsing ${error}`);
  if (read < given) problems.push(`${what}: only ${read} of ${given} files were read`);
  for (const id of seeded.ids) {
    if (!findings.some((one) => one.id === id && one.file === seeded.file)) {
      problems.push(`${what}: ${id} was not found in the file that is bad on purpose`);
    }
  }
  const used = new Set<Acceptance>();
  for (const { id, file, line } of findings) {
    if (file === seeded.file) continue;
    const acceptance = accepted.find((one) => one.id === id && one.file === file);
    if (acceptance) used.add(acceptance);
    else problems.push(`${what}: ${id} in ${file}:${line} is not accepted`);
  }
  for (const one of accepted) {
    if (!used.has(one)) problems.push(`${what}: the acceptance of ${one.id} in ${one.file} is not used`);
    if (one.reason.trim().length < 20) problems.push(`${what}: the acceptance of ${one.id} gives no reason`);
  }
  return problems;
}
