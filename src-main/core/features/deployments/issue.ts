import type { z } from 'zod';
import { isMessageId, message, type Message, type MessageId } from '../../base/messages/message.ts';

/** A message about one key of an administrator's file. Its value `key` is filled in later. */
export type FileFault = Extract<MessageId, `file.${string}`>;

/** A fault as the message of a schema's rule. zod passes only text, so this is JSON. */
export const faultMessage = (
  fault: FileFault,
  values: Readonly<Record<string, string | number>> = {},
): string => JSON.stringify([fault, values]);

function messageOfRule(fault: string, key: string | Message): Message {
  const rule: unknown = fault.startsWith('[') ? JSON.parse(fault) : null;
  const [id, values] = Array.isArray(rule) ? (rule as [string, Record<string, string | number>]) : ['', {}];
  return isMessageId(id) ? message(id, { ...values, key }) : message('file.other', { key, fault });
}

const kinds: ReadonlyMap<string, FileFault> = new Map([
  ['string', 'file.kind.string'],
  ['number', 'file.kind.number'],
  // zod's word for "whole number" is not clear to an administrator.
  ['int', 'file.kind.wholeNumber'],
  ['boolean', 'file.kind.boolean'],
  ['object', 'file.kind.object'],
  ['array', 'file.kind.array'],
  ['record', 'file.kind.record'],
]);

function saidOfKind(kind: string, key: string | Message): Message {
  const fault = kinds.get(kind);
  if (fault !== undefined) return message(fault, { key });
  return message(/^[aeio]/.test(kind) ? 'file.kind.an' : 'file.kind.a', { key, kind });
}

/**
 * Says what is wrong with an administrator's file, beginning with the path of the bad key. Never repeats a value, which
 * may be a secret.
 *
 * @param unknownKey the message for a key that the file must not have.
 */
export function describeIssue(issue: z.core.$ZodIssue, unknownKey: FileFault): Message {
  const path = issue.path.map((part) => String(part)).join('.');
  const key = path === '' ? message('file.theFile') : path;
  if (issue.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys;
    if (/^[\w.-]{1,64}$/.test(name))
      return message(unknownKey, { key: path === '' ? name : `${path}.${name}` });
    const unusual = path === '' ? message('file.unusualKey') : message('file.unusualKeyIn', { path });
    return message(unknownKey, { key: unusual });
  }
  if (issue.code === 'invalid_type') return saidOfKind(issue.expected, key);
  return messageOfRule(issue.message, key);
}
