import {
  ok,
  type contentVerbs,
  type evidenceVerbs,
  type WhatToKeep,
} from '../../../../src-preload/contract/index.ts';
import type { AccountContext, VerbHandlers } from '../context.ts';
import { EvidenceFiles } from './content/contents.ts';
import { Evidence, type RevisionCounter } from './evidence.ts';

export { guessCid } from './cid/parse.ts';
export { verdictOf } from './cid/verdict.ts';
export type { OpenedContent } from './content/contents.ts';
export { contentsAtStart } from './content/contents.ts';
export type { Evidence, RevisionCounter } from './evidence.ts';
export { evidenceAtStart } from './evidenceState.ts';

export const openContents = (account: AccountContext, evidence: () => Evidence): EvidenceFiles =>
  new EvidenceFiles(account, (content) => evidence().addressesOf(content));

export function openEvidence(
  account: AccountContext,
  contents: EvidenceFiles,
  revisions: RevisionCounter,
): Evidence {
  const { on } = account;
  const evidence = new Evidence(account, (content) => contents.fileOf(content), revisions);
  on('wake', () => evidence.wake());
  on('token', () => evidence.tokenChanged());
  on('online', (api) => api === 'infrastructure' && evidence.connectionReturned());
  on('review', () => evidence.review());
  return evidence;
}

export const evidenceHandlers = (
  { store, refuse }: AccountContext,
  evidence: Evidence,
): VerbHandlers<typeof evidenceVerbs> => ({
  refreshEvidence: () => evidence.refresh(),
  readEvidence: (request) => ok(evidence.read(request)),
  openInGateway: ({ cid, gateway }) =>
    // A browser would be a way out of a kiosk.
    store.slice('policy').kiosk === 'off' ? evidence.open(cid, gateway) : refuse({ code: 'policy-forbids' }),
  beginVerification: ({ cid, fileName, bytes }) => evidence.beginVerification(cid, fileName, bytes),
  dismissVerification: ({ verificationId }) => evidence.dismissVerification(verificationId),
});

export function contentHandlers(
  { store }: AccountContext,
  contents: EvidenceFiles,
  evidence: Evidence,
): VerbHandlers<typeof contentVerbs> {
  const cidsOf = (of: WhatToKeep): readonly string[] => {
    switch (of.kind) {
      case 'cid':
        return [of.cid];
      case 'incident':
        return evidence.cids([of.incidentId]);
      case 'incidents':
        return evidence.cids(of.keys.flatMap((key) => store.incidents.idOf(key) ?? []));
      case 'list':
        return evidence.cids(null);
    }
  };
  return {
    loadContent: ({ cid, soon }) => contents.want(cid, soon),
    cancelContent: ({ cid }) => contents.cancel(cid),
    countContent: ({ of }) => ok(contents.count(cidsOf(of))),
    keepContent: ({ of, kept }) => contents.keep(cidsOf(of), kept),
    openContent: ({ cid, unverified }) => contents.open(cid, unverified),
    closeContent: ({ ticket }) => contents.close(ticket),
    saveContent: ({ cid }) => contents.save(cid),
  };
}
