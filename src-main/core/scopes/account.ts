import { nameOf } from '../base/errors.ts';
import type { Scope } from '../base/scope.ts';
import type { SpoolAnswer } from '../base/spoolAnswer.ts';
import { openAlarms } from '../features/alarms/index.ts';
import { accountContext, type DeploymentContext } from '../features/context.ts';
import { openDrones } from '../features/drones/index.ts';
import { openEvents } from '../features/events/index.ts';
import { openContents, openEvidence, type RevisionCounter } from '../features/evidence/index.ts';
import { openChanges, openIncidents } from '../features/incidents/index.ts';
import { openMissions } from '../features/missions/index.ts';
import { openNotes, type HandoverRepository } from '../features/notes/index.ts';
import { placeHandlers } from '../features/places/index.ts';
import { openUploads } from '../features/uploads/index.ts';
import { openViews } from '../features/views/index.ts';
import { afterLoading } from './dispatcher.ts';

/** What one account takes over from the one before on the same deployment. */
export interface AccountHeritage {
  readonly handovers: HandoverRepository;
  readonly evidence: RevisionCounter;
  readonly drones: RevisionCounter;
}

export type AccountScope = ReturnType<typeof openAccount>;

/**
 * Opens all features of one operator on one deployment. `scope` lasts while the vault is open. What is opened first ends
 * last: incidents stay in the store until all other features have taken what they still have to write, and the shift's
 * log accepts lines until the uploads have ended.
 */
export function openAccount(
  deployment: DeploymentContext,
  { scope, username, ...heritage }: AccountHeritage & { readonly scope: Scope; readonly username: string },
) {
  let isLoaded = false;
  const account = accountContext(deployment, { scope, username }, () => isLoaded);
  const incidents = openIncidents(account, () => Promise.all([loaded, reading]));
  const notes = openNotes(account, heritage.handovers, {
    readUploads: (from, count) => uploads.read(from, count),
    auditHash: () => missions.auditHash,
  });
  const views = openViews(account, incidents);
  const changes = openChanges(account);
  const contents = openContents(account, () => evidence);
  const evidence = openEvidence(account, contents, heritage.evidence);
  const uploads = openUploads(account, evidence);
  const missions = openMissions(account);
  const alarms = openAlarms(account);
  const drones = openDrones(account, evidence, alarms, heritage.drones, () => events.heard);
  const events = openEvents(account, { incidents, missions, evidence, drones });

  const viewsLoaded = views.load();
  // The stored list is shown first. Then the service is read, with the restored filters.
  const reading = Promise.all([account.vault.restore(), viewsLoaded]).then(([restored]) => {
    if (!scope.isOver) incidents.start({ ledger: restored?.ledger ?? null });
  });
  const load = async (): Promise<void> => {
    // Not awaited: it reads thousands of notes beside files.
    void contents.load();
    const others = [notes, alarms, changes, uploads, missions].map((feature) => feature.load());
    try {
      await Promise.all([viewsLoaded, ...others, evidence.load(reading)]);
    } catch (error) {
      account.logger.error('features-not-started', { error: nameOf(error) });
    }
    if (scope.isOver) return;
    isLoaded = true;
    events.open();
    account.emit('review', null);
  };
  const loaded = load();
  return {
    on: account.on,
    verbs: {
      ...afterLoading(account, loaded, {
        ...evidence.verbs,
        ...contents.verbs,
        ...drones.verbs,
        ...uploads.verbs,
        ...missions.verbs,
        ...alarms.verbs,
        ...notes.verbs,
      }),
      // A layout that arrives before the stored one is loaded must be refused: taken later, it would replace that.
      ...views.verbs,
      ...changes.verbs,
      ...incidents.verbs,
      ...placeHandlers(account),
    },
    openIncident: (id: string) => views.openIncident(id),
    openedContent: (ticket: string) => contents.opened(ticket),
    /** Gives bytes to the feature that announced this id; null when none of them has. */
    receive: (id: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> | null =>
      [uploads, evidence].find((feature) => feature.knows(id))?.receive(id, body) ?? null,
  };
}
