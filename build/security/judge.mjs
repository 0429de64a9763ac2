/**
 * What is wrong with a scan, as sentences; none when all is well. Each finding must be accepted by id and
 * file with a reason, and each acceptance must be used: one that is not would hide the next finding.
 *
 * @param {{ what: string, given: number, read: number, errors: string[], findings: { id: string, file: string, line: number }[] }} scan
 * @param {{ id: string, file: string, reason: string }[]} accepted
 * @param {{ file: string, ids: string[] }} seeded a file that is bad on purpose, and what must be found in it
 */
export function judge({ what, given, read, errors, findings }, accepted, seeded) {
  const problems = errors.map((error) => `${what}: error parsing ${error}`);
  if (read < given) problems.push(`${what}: only ${read} of ${given} files were read`);
  for (const id of seeded.ids) {
    if (!findings.some((one) => one.id === id && one.file === seeded.file)) {
      problems.push(`${what}: ${id} was not found in the file that is bad on purpose`);
    }
  }
  const used = new Set();
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
