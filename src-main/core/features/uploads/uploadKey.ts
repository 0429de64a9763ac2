import { createHash } from 'node:crypto';
import type { Random } from '../../base/ports.ts';
import type { Deployment } from '../deployments/index.ts';
import type { UploadItem, UploadKey, UploadTarget } from './item.ts';

/** The service remembers an answer for 24 hours (interface: Limits); an hour is left for inexact clocks. */
const youngMs = 23 * 3_600_000;
/** A better estimate may move the service's time back by this much, without any clock having gone back. */
const toleranceMs = 60_000;

export const targetOf = (upload: Deployment['upload']): UploadTarget => ({
  path: upload.path,
  field: upload.field,
  fields: Object.entries(upload.fields),
  incidentField: upload.incidentField,
});

/** A digest of everything that a key belongs to. The deployment is that of the vault. */
const bindingOf = (item: UploadItem, account: string, target: UploadTarget): string =>
  createHash('sha256')
    .update(JSON.stringify([item.sha256, item.bytes, item.fileName, item.incidentId, account, target]))
    .digest('hex');

export function makeUploadKey(options: {
  readonly item: UploadItem;
  readonly account: string;
  readonly target: UploadTarget;
  readonly random: Random;
}): UploadKey {
  const { item, account, target, random } = options;
  const hex = (length: number): string => Buffer.from(random.bytes(length)).toString('hex');
  return {
    value: hex(24),
    boundary: `field-console-${hex(16)}`,
    target,
    boundTo: bindingOf(item, account, target),
    attempts: 0,
    anchor: null,
    unreadable: 0,
  };
}

/** Whether the item's key, if it has one, belongs to its bytes, this account and this deployment's path. */
export function isBound(item: UploadItem, account: string, path: string): boolean {
  const { key } = item;
  return key === null || (key.target.path === path && key.boundTo === bindingOf(item, account, key.target));
}

/**
 * Whether a key is proven to be under 23 hours old in the service's time, which is null while it is not verified. `latest` is the latest time that was seen: a
 * clock that is behind it went back, and proves nothing.
 */
export function isProvenYoung(key: UploadKey | null, now: number | null, latest: number | null): boolean {
  if (key === null || key.attempts === 0) return true;
  if (key.anchor === null || now === null) return false;
  if (now < Math.max(latest ?? key.anchor, key.anchor) - toleranceMs) return false;
  return now - key.anchor < youngMs;
}
