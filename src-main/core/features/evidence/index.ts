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

/** Opens the files of evidence. `evidence`: the list that names them, which is opened after. */
export function openContents(account: AccountContext, evidence: () => Evidence) {
  const contents = new EvidenceFiles(account, (content) => evidence().addressesOf(content));
  const cidsOf = (of: WhatToKeep): readonly string[] => {
    switch (of.kind) {
      case 'cid':
        return [of.cid];
      case 'incident':
        return evidence().cids([of.incidentId]);
      case 'incidents':
        return evidence().cids(of.keys.flatMap((key) => account.store.incidents.idOf(key) ?? []));
      case 'list':
        return evidence().cids(null);
    }
  };
  const verbs: VerbHandlers<typeof contentVerbs> = {
    loadContent: ({ cid, soon }) => contents.want(cid, soon),
    cancelContent: ({ cid }) => contents.cancel(cid),
    countContent: ({ of }) => ok(contents.count(cidsOf(of))),
    keepContent: ({ of, kept }) => contents.keep(cidsOf(of), kept),
    openContent: ({ cid, unverified }) => contents.open(cid, unverified),
    closeContent: ({ ticket }) => contents.close(ticket),
    saveContent: ({ cid }) => contents.save(cid),
  };
  return Object.assign(contents, { verbs });
}

export function openEvidence(account: AccountContext, contents: EvidenceFiles, revisions: RevisionCounter) {
  const { on, store, refuse } = account;
  const evidence = new Evidence(account, (content) => contents.fileOf(content), revisions);
  on('wake', () => evidence.wake());
  on('token', () => evidence.tokenChanged());
  on('online', (api) => api === 'infrastructure' && evidence.connectionReturned());
  on('review', () => evidence.review());
  const verbs: VerbHandlers<typeof evidenceVerbs> = {
    refreshEvidence: () => evidence.refresh(),
    readEvidence: (request) => ok(evidence.read(request)),
    openInGateway: ({ cid, gateway }) =>
      // A browser would be a way out of a kiosk.
      store.slice('policy').kiosk === 'off'
        ? evidence.open(cid, gateway)
        : refuse({ code: 'policy-forbids' }),
    beginVerification: ({ cid, fileName, bytes }) => evidence.beginVerification(cid, fileName, bytes),
    dismissVerification: ({ verificationId }) => evidence.dismissVerification(verificationId),
  };
  return Object.assign(evidence, { verbs });
}
