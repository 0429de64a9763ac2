import type { z } from 'zod';

/** zod's own word for a whole number is none. */
const kindOf = (expected: string): string => {
  const kind = expected === 'int' ? 'whole number' : expected;
  return /^[aeio]/.test(kind) ? `an ${kind}` : `a ${kind}`;
};

/**
 * Says what is wrong with an administrator's file, beginning with the path of the bad key. Never
 * repeats a value, which may be a secret.
 *
 * @param unknownKey what is to be said of a key that the file must not have.
 */
export function describeIssue(issue: z.core.$ZodIssue, unknownKey: string): string {
  const path = issue.path.map((part) => String(part)).join('.');
  const where = path === '' ? 'the file' : path;
  switch (issue.code) {
    case 'unrecognized_keys': {
      const [key = ''] = issue.keys;
      const name = /^[\w.-]{1,64}$/.test(key) ? key : '(a key with unusual characters)';
      return `${path === '' ? name : `${path}.${name}`}: ${unknownKey}.`;
    }
    case 'invalid_type':
      return `${where}: must be ${kindOf(issue.expected)}.`;
    default:
      return `${where}: ${issue.message}.`;
  }
}
