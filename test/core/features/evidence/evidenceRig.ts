import { createHash } from 'node:crypto';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import { Evidence } from '../../../../src-main/core/features/evidence/evidence.ts';
import type {
  ListEvidenceParams,
  ListOptions,
  ServiceAnswer,
} from '../../../../src-main/core/service/api/infrastructure.ts';
import type { CidHasher, SpooledFacts, VaultRecords } from '../../../../src-main/core/vault/records.ts';
import {
  evidenceSchema,
  failed,
  ok,
  type EvidenceItem,
  type Failure,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { accountLife, type Opening } from '../../accountLife.ts';
import { createFeatureRig } from '../../featureRig.ts';

export const rawCid = (text: string): string => {
  const digest = createHash('sha256').update(text).digest();
  const bytes = Uint8Array.of(0x01, 0x55, 0x12, 0x20, ...digest);
  return `f${Buffer.from(bytes).toString('hex')}`;
};

export type Answer =
  | (Pick<ServiceAnswer, 'body' | 'isUnchanged' | 'validator'> & { readonly linkCursor?: string })
  | { readonly failure: Failure };

export const failing = (code: Failure['code'], parts: Partial<Failure> = {}): Answer => ({
  failure: makeFailure({ code, at: 0, ...parts }),
});

export interface Asked {
  readonly params: ListEvidenceParams;
  readonly options: ListOptions | undefined;
}

/** Hashes what comes, and gives its plain CID for each profile. */
export class PlainHasher implements CidHasher {
  readonly #hash = createHash('sha256');
  #bytes = 0;
  abandoned = false;

  write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#bytes += bytes.byteLength;
    return Promise.resolve();
  }

  finish(): Promise<SpooledFacts> {
    const sha256 = this.#hash.digest('hex');
    const cid = `f01551220${sha256}`;
    return Promise.resolve({ bytes: this.#bytes, sha256, computed: [{ profile: 'v1-raw-256k', cid }] });
  }

  abandon(): Promise<void> {
    this.abandoned = true;
    return Promise.resolve();
  }
}

export interface EvidenceRigOptions {
  readonly gateways?: readonly string[];
  /** Hashes as the product does, in a thread. */
  readonly realHasher?: boolean;
}

export function createEvidenceRig(options: EvidenceRigOptions = {}) {
  const parts = createFeatureRig();
  const asked: Asked[] = [];
  const opened: string[] = [];
  const hashers: PlainHasher[] = [];
  const rig = {
    answer: (
      _params: ListEvidenceParams,
      _validator?: ListOptions['validator'],
    ): Answer | Promise<Answer> => ({ body: [] }),
    opens: true,
  };
  const api = {
    async listEvidence(params: ListEvidenceParams, call?: ListOptions): Promise<Result<ServiceAnswer>> {
      asked.push({ params, options: call });
      const answer = await rig.answer(params, call?.validator);
      if ('failure' in answer) return failed(answer.failure);
      return ok({
        ...answer,
        requestId: 'req-1',
        responseMs: 1,
        linkCursor: answer.linkCursor ?? null,
      });
    },
  };
  const revisions = { used: 0 };
  const ports = {
    ...parts.ports,
    openExternal: (url: string) => {
      opened.push(url);
      return Promise.resolve(rig.opens);
    },
    records: {
      ...parts.records,
      hasher: () => {
        if (options.realHasher) return parts.records.hasher();
        const hasher = new PlainHasher();
        hashers.push(hasher);
        return hasher;
      },
    },
  };
  const deployment = {
    gateways: [...(options.gateways ?? [])],
    pollIntervals: { incidentsMs: 15_000, healthMs: 15_000 },
  };
  const makeFeature = (opening: Opening) =>
    new Evidence({ ...parts, ...opening, ports, infrastructure: api, deployment }, () => null, revisions);
  const feature = accountLife(parts, makeFeature);
  return Object.assign(rig, {
    ...parts,
    asked,
    opened,
    hashers,
    api,
    feature,
    /** Another process on the same computer. */
    again: () => accountLife(parts, makeFeature),
    slice: () => evidenceSchema.parse(parts.store.slice('evidence')),
    items: (incidentId: string | null = null): EvidenceItem[] =>
      feature.read({ incidentId, from: 0, count: 200 }).items,
    start: (records: VaultRecords | null = null) => feature.start(records),
  });
}

/** Pages of `size` of `items`, by a cursor that is opaque. */
export const paged =
  (items: readonly unknown[], size: number) =>
  ({ cursor }: ListEvidenceParams): Answer => {
    const from = cursor === undefined ? 0 : Number(cursor.slice(2));
    const next = from + size < items.length ? `c-${String(from + size)}` : null;
    return { body: { evidence: items.slice(from, from + size), next_cursor: next } };
  };
