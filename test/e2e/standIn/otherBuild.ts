/** What another build of the same sources would hold. */
export interface OtherBuild {
  /** In the place of build/update-keys.json. */
  readonly trust: unknown;
  /** What stands beside the program: Electron's `process.resourcesPath`. */
  readonly resources: string;
}

/** The environment variable with an `OtherBuild` as JSON, for the application on the stand-in. */
export const otherBuildVariable = 'FIELD_CONSOLE_STAND_IN_BUILD';

/**
 * The built program with another list of update keys.
 *
 * @throws Error when the program does not hold exactly one list.
 */
export function withTrust(program: string, trust: unknown): string {
  const list = /(?<=\bvar update_keys_default\s*=\s*)\{[^;]*\}(?=;)/g;
  if (program.match(list)?.length !== 1) throw new Error('The built program holds no list of update keys');
  return program.replace(list, () => JSON.stringify(trust));
}
