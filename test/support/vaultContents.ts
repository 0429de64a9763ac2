import type { App } from '../../src-main/core/scopes/app.ts';
import type {
  AuditEntry,
  ConsoleState,
  IncidentDetail,
  Note,
  SavedView,
  ShiftEntry,
  Upload,
} from '../../src-preload/contract/index.ts';
import { acknowledge, ask } from './console.ts';

/** Everything of an account that its vault gives back, in an order that does not depend on how it was stored. */
export interface VaultContents {
  readonly incidents: readonly Omit<IncidentDetail, 'key'>[];
  readonly notes: readonly Note[];
  readonly pins: readonly string[];
  readonly shift: readonly ShiftEntry[];
  readonly uploads: readonly Upload[];
  readonly audit: readonly AuditEntry[];
  readonly views: readonly SavedView[];
  readonly layout: ConsoleState['workspace']['layout'];
  readonly alarms: ConsoleState['alarms']['settings'];
}

/** The slices of a console as they are now, kept up to date. */
export function slicesOf(console: App): Partial<ConsoleState> {
  const slices: Partial<ConsoleState> = {};
  acknowledge(console, (push) => void Object.assign(slices, push.slices));
  return slices;
}

/** Reads it all by verbs and slices, as a page does. `incidents` is how many are known. */
export async function readContents(console: App, slices: Partial<ConsoleState>): Promise<VaultContents> {
  const { incidents: known, watch, workspace, alarms } = slices;
  if (!known || !watch || !workspace || !alarms) throw new Error('The console has not said all');
  const page = { from: 0, count: 200 };
  const incidents: Omit<IncidentDetail, 'key'>[] = [];
  // Keys are given in the order of arrival, and some may be of incidents that are gone.
  for (let key = 0; incidents.length < known.count && key < 10 * known.count; key += 1) {
    const found = await console.call('readIncident', { key });
    if (!found.ok) continue;
    const { key: _, ...detail } = found.value as IncidentDetail;
    incidents.push(detail);
  }
  return {
    incidents: incidents.sort((a, b) => (a.id < b.id ? -1 : 1)),
    notes: (await ask(console, 'readNotes', { incidentId: null, text: '', ...page })).notes,
    pins: watch.pins,
    shift: (await ask(console, 'readShift', page)).entries,
    uploads: (await ask(console, 'readUploads', page)).items,
    audit: (await ask(console, 'readAudit', page)).entries,
    views: workspace.views,
    layout: workspace.layout,
    alarms: alarms.settings,
  };
}
