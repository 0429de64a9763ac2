/** The system's code of a failed call, such as `ENOENT`; empty for another error. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Whether a call failed because there is no such file. */
export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

/** The kind of an error, for a log that must not have its text. */
export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

/** The text of an error. Another thrown value has none. */
export const textOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');
