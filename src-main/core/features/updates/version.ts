import { compare, parse } from 'semver';

/** Whether this is a version by the rules of Semantic Versioning 2.0.0, of at most 64 characters, and nothing else. */
export const isVersion = (text: string): boolean =>
  text.length <= 64 && /^\d.*[\dA-Za-z-]$/.test(text) && parse(text) !== null;

/** Below 0 when `a` is older than `b`, 0 when neither is older; null when one of them is no version. */
export const compareVersions = (a: string, b: string): number | null =>
  isVersion(a) && isVersion(b) ? compare(a, b) : null;
