import { isObject } from '../../base/json.ts';
import type { Finding, FollowingKey } from './report.ts';

type File = Readonly<Record<string, unknown>>;

/** The keys that a read can show, each with the finding and the value that show it. */
const shown = [
  { key: ['timestampUnit'], reason: 'incidents.timeUnit', value: 'unit' },
  { key: ['loginPath'], reason: 'login', value: 'path' },
  { key: ['evidencePath'], reason: 'evidence', value: 'path' },
  { key: ['missions', 'pendingPath'], reason: 'pendingMissions', value: 'path' },
  { key: ['eventsPath'], reason: 'events', value: 'path' },
] as const;

/**
 * The deployment file that follows from the findings: the checked one, with each key set that was
 * seen to hold. What was not seen stays as the file had it, and gets no reason.
 */
export function followingFile(
  checked: File,
  findings: readonly Finding[],
): { readonly file: File; readonly keys: readonly FollowingKey[] } {
  let file = checked;
  const keys: FollowingKey[] = [];
  for (const { key, reason, value: name } of shown) {
    const finding = findings.find(({ id }) => id === reason);
    const value = finding?.outcome === 'seen' ? finding.values[name] : undefined;
    if (typeof value !== 'string') continue;
    const change = valueAt(checked, key) === value ? 'confirmed' : 'changed';
    keys.push({ key: key.join('.'), value, change, reason });
    file = withValue(file, key, value);
  }
  return { file, keys };
}

function valueAt(file: File, [first, second]: readonly [string, string?]): unknown {
  const value = file[first];
  if (second === undefined) return value;
  return isObject(value) ? value[second] : undefined;
}

function withValue(file: File, [first, second]: readonly [string, string?], value: string): File {
  if (second === undefined) return { ...file, [first]: value };
  const inner = file[first];
  return { ...file, [first]: { ...(isObject(inner) ? inner : {}), [second]: value } };
}
