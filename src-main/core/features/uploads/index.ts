import { ok, type OutboxState, type uploadVerbs } from '../../../../src-preload/contract/index.ts';
import { signingOf, type AccountContext, type DeploymentContext, type VerbHandlers } from '../context.ts';
import type { Evidence } from '../evidence/index.ts';
import { Uploads } from './uploads.ts';

export { outboxAtStart } from './uploads.ts';

/** The state of the separate service token of uploads, where the deployment has one. */
const uploadTokenOf = ({
  deployment,
  session,
}: Pick<DeploymentContext, 'deployment' | 'session'>): OutboxState['uploadToken'] =>
  deployment.upload.separateSignIn ? session.snapshot().uploadToken : 'not-used';

/** Shows on the sign-in page what the deployment's uploads need, while no outbox is open. */
export function showClosedOutbox(context: DeploymentContext): void {
  const incidentField = context.deployment.upload.incidentField !== null;
  context.store.patch('outbox', { uploadToken: uploadTokenOf(context), incidentField });
}

/** Opens the outbox. The token for uploads is given to the session, at once. */
export function openUploads(account: AccountContext, evidence: Evidence) {
  const { on } = account;
  const uploads = new Uploads(account, {
    session: () => signingOf(account),
    uploadToken: () => uploadTokenOf(account),
    findEvidence: (cids) => evidence.find(cids),
  });
  on('wake', () => uploads.review());
  on('review', () => uploads.review());
  on('evidence-read', () => void uploads.prove((cids) => evidence.lists(cids)));
  const verbs: VerbHandlers<Omit<typeof uploadVerbs, 'giveUploadToken'>> = {
    beginUpload: ({ fileName, bytes, incidentId }) => uploads.begin(fileName, bytes, incidentId),
    readUploads: ({ from, count }) => ok(uploads.read(from, count)),
    pauseUpload: ({ id, paused }) => uploads.pause(id, paused),
    postponeUpload: ({ id }) => uploads.pause(id, 'slow-link'),
    moveUpload: ({ id, to }) => uploads.move(id, to),
    cancelUpload: ({ id }) => uploads.cancel(id),
    retryUpload: ({ id }) => uploads.retry(id),
    decideUpload: ({ id, decision }) => uploads.decide(id, decision),
    discardUpload: ({ id, state }) => uploads.discard(id, state),
    discardSentUploads: () => uploads.discardSent(),
  };
  return Object.assign(uploads, { verbs });
}
