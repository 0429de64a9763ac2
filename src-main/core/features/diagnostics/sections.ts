/* eslint-disable words/literal-text -- English in every language: facts for support, as in the bundle. */
import type { ConsoleState, DiagnosticsReport, PageFacts } from '../../../../src-preload/contract/index.ts';
import type { HostFact } from '../../base/control.ts';
import type { Policy } from '../policy/index.ts';
import { bytesText, durationText, fact, instantText, yesNo, type Fact } from './factMessages.ts';
import type { FolderFacts, RuntimeFacts } from './tools.ts';
import { costText, type Sealing } from './vaultFacts.ts';

type Section = DiagnosticsReport['sections'][number];

/** The sources of the sections. What could not be found out is null. */
export interface Findings {
  readonly version: string;
  readonly page: PageFacts;
  readonly runtime: RuntimeFacts;
  readonly folder: FolderFacts | null;
  readonly hostFacts: readonly HostFact[];
  readonly sealing: Sealing;
  readonly hasDeviceSecret: boolean;
  readonly policy: Policy;
  readonly slice: <N extends keyof ConsoleState>(name: N) => ConsoleState[N];
}

/**
 * The facts under the headings of the page. They include the deployment's id and hosts, which support needs, but no
 * user names, incidents, missions, files or paths of this computer.
 */
export const sectionsOf = (findings: Findings): Section[] =>
  [
    section('Versions', versions(findings)),
    section('Runtime', runtime(findings)),
    section('Storage', storage(findings)),
    section('Vault', vault(findings)),
    section('Policy', policy(findings)),
    section('Connection', connection(findings)),
    section('Work', work(findings)),
    section('Features', features(findings)),
  ] satisfies Section[];

const mostFacts = 64;
const section = (title: string, facts: readonly Fact[]): Section => ({
  title,
  facts: facts.slice(0, mostFacts).map(({ name, value }) => ({ name, value })),
});

const fromHost = ({ hostFacts }: Findings, part: HostFact['section']): Fact[] =>
  hostFacts.filter((one) => one.section === part).map(({ name, value }) => fact(name, value));

const versionNames = [
  ['electron', 'Electron'],
  ['chrome', 'Chromium'],
  ['node', 'Node'],
  ['v8', 'V8'],
  ['openssl', 'OpenSSL'],
  ['sqlite', 'SQLite'],
] as const;

function versions({ version, runtime: { versions: known }, page, slice }: Findings): Fact[] {
  return [
    fact('Console', version),
    fact('Host', slice('app').host),
    ...versionNames.flatMap(([name, label]) => (known[name] ? [fact(label, known[name])] : [])),
    fact('Page', page.userAgent),
  ];
}

function runtime(findings: Findings): Fact[] {
  const { runtime: machine, page, slice } = findings;
  const { skewMs, verified, serverNow } = slice('time');
  return [
    fact('System', machine.system),
    fact('Architecture', `${machine.architecture}, ${String(machine.processors)} processors`),
    fact(
      'Memory',
      `${bytesText(machine.memoryFree) ?? ''} free of ${bytesText(machine.memoryTotal) ?? ''}, console ${bytesText(machine.memoryUsed) ?? ''}`,
    ),
    fact('Computer on for', durationText(machine.computerUptimeMs)),
    fact('Console on for', durationText(machine.consoleUptimeMs)),
    fact('Time zone', machine.timeZone),
    fact('Language', `${machine.locale}, page ${page.language}`),
    fact('Page size', `${page.size} at ${String(page.pixelRatio)}x`),
    fact('Server time', instantText(serverNow)),
    fact('Checked against the service', yesNo(verified)),
    fact('Clock of this computer', skewMs === null ? null : skewText(skewMs)),
    ...fromHost(findings, 'runtime'),
  ];
}

/** How far the computer's clock is from the service's. */
export function skewText(skewMs: number): string {
  if (Math.abs(skewMs) < 1_000) return 'as the service’s';
  return `${durationText(skewMs)} ${skewMs > 0 ? 'ahead of' : 'behind'} the service’s`;
}

function storage({ folder, slice }: Findings): Fact[] {
  const { keeping, problem, incidents, bytes } = slice('storage');
  const { vaults, maps, logs, temporary, other } = folder?.parts ?? {};
  return [
    fact('Free on the disk', bytesText(folder?.free ?? null)),
    fact('Saved data', bytesText(vaults ?? null)),
    fact('Maps', bytesText(maps ?? null)),
    fact('Log', bytesText(logs ?? null)),
    fact('Temporary files', bytesText(temporary ?? null)),
    fact('Everything else', bytesText(other ?? null)),
    fact('What is known is kept in', keeping),
    fact('Problem', problem?.code ?? 'none'),
    fact('Incidents kept', incidents),
    fact('Open saved data', bytes === null ? 'none' : bytesText(bytes)),
    fact('Map packages', slice('maps').packages.length),
  ];
}

function vault({ sealing, hasDeviceSecret, policy: held, slice }: Findings): Fact[] {
  const { vaults } = slice('storage');
  const unsent = vaults.reduce((sum, known) => sum + known.unsent, 0);
  return [
    fact('State', slice('session').vault),
    fact('Saved data of this deployment', vaults.length),
    fact('Set aside', vaults.filter(({ setAside }) => setAside).length),
    fact('Not sent yet', unsent),
    fact('Password key', sealing.costs.map(costText).join('; ') || 'no vault yet'),
    fact('Sealed with password and computer', sealing.withDevice),
    fact('Sealed with the password only', sealing.passwordOnly),
    fact('Key files that cannot be read', sealing.unreadable),
    fact('Secret of this computer', hasDeviceSecret ? 'there' : 'none'),
    fact('Policy asks for the password only', yesNo(held.passwordOnly)),
  ];
}

function policy({ policy: held, slice }: Findings): Fact[] {
  const { idleLockMs, kiosk, drop, exports, updates, fixed, problem } = slice('policy');
  return [
    fact('Source', held.source),
    fact('Problem', problem?.code ?? 'none'),
    fact('Fixes', fixed.join(', ') || 'nothing'),
    fact('Kiosk', kiosk),
    fact('Locks after', idleLockMs === null ? 'never' : durationText(idleLockMs)),
    fact('Files may be dropped', yesNo(drop)),
    fact('Files may be saved', yesNo(exports)),
    fact('Updates', yesNo(updates)),
    fact('Log level', held.logLevel),
  ];
}

function connection({ slice }: Findings): Fact[] {
  const { known, chosen } = slice('deployments');
  const deployment = known.find(({ id }) => id === chosen) ?? null;
  const { infrastructure, coordination } = slice('connection');
  const { session } = slice('session');
  const events = slice('events');
  const ended = session.state === 'none' ? `, ${session.ended}` : '';
  return [
    fact('Deployment', deployment?.id ?? 'none chosen'),
    fact('Named by', deployment?.source ?? 'nothing'),
    fact('Infrastructure host', deployment?.infrastructureHost ?? 'none'),
    fact('Infrastructure', stateText(infrastructure)),
    fact('Coordination host', deployment?.coordinationHost ?? 'none'),
    fact('Coordination', stateText(coordination)),
    fact('Session', session.state + ended),
    fact('Live events', `${events.state}${events.failure === null ? '' : `, ${events.failure.code}`}`),
    fact('Events received', `${String(events.received)}, ${String(events.dropped)} left out`),
    fact('Not granted', slice('capabilities').refused.length),
  ];
}

function stateText({ state, since, failure }: ConsoleState['connection']['infrastructure']): string {
  const why = failure === null ? '' : `, ${failure.code}`;
  return `${state} since ${instantText(since) ?? ''}${why}`;
}

function work({ slice }: Findings): Fact[] {
  const { count, completeness, withoutLocation, unreadable } = slice('incidents');
  const sync = slice('sync');
  const outbox = slice('outbox');
  const { missions, audit } = slice('missions');
  const alarms = slice('alarms');
  const { integrations } = slice('health');
  const levels = ['ok', 'degraded', 'down', 'unknown'] as const;
  return [
    fact('Incidents', `${String(count)}, ${completeness}`),
    fact('Without a location', withoutLocation),
    fact('Unreadable records', unreadable.count),
    fact('Sync', `${sync.phase}, unit ${sync.unit}, page ${String(sync.pageSize ?? 'not known')}`),
    fact('Windows', `${String(sync.windows.complete)} of ${String(sync.windows.planned)} complete`),
    fact('Uncertain windows', sync.uncertain.count),
    fact(
      'Requests in the last minute',
      `${String(sync.requests.lastMinute)} of ${String(sync.requests.perMinute)}`,
    ),
    fact('Complete as of', instantText(sync.completeAsOf) ?? 'not complete'),
    fact('Evidence', slice('evidence').count),
    fact('Outbox', outbox.available ? `${String(outbox.unsent)} unsent` : 'closed'),
    fact(
      'Uploads by state',
      Object.entries(outbox.counts)
        .filter(([, uploads]) => uploads > 0)
        .map(([state, uploads]) => `${state} ${String(uploads)}`)
        .join(', ') || 'none',
    ),
    fact('Missions', missions.length),
    fact('Audit list', `${String(audit.count)} entries, ${audit.state}`),
    fact('Alarms', `${String(alarms.active.length)} open, ${String(alarms.past.length)} past`),
    fact(
      'Integrations',
      levels
        .map((level) => `${level} ${String(integrations.filter((one) => one.level === level).length)}`)
        .join(', '),
    ),
  ];
}

function features(findings: Findings): Fact[] {
  const { page, runtime: machine, slice } = findings;
  const { sound, notifications } = slice('siren');
  const desktop = slice('desktop');
  return [
    fact('SQLite', machine.versions['sqlite']),
    fact('WebGL', page.webgl ?? 'not there'),
    fact('Alarm sound', sound ? 'on' : 'off'),
    fact('Desktop notifications', notifications),
    fact('Tray', desktop === null ? 'not in a browser' : yesNo(desktop.tray)),
    fact('Starts at login', loginText(desktop)),
    fact('Update state', `${slice('updates').offered}, ${slice('updates').state.kind}`),
    ...fromHost(findings, 'features'),
  ];
}

function loginText(desktop: ConsoleState['desktop']): string {
  if (desktop === null) return 'not in a browser';
  return desktop.startsAtLogin === null ? 'cannot be set' : yesNo(desktop.startsAtLogin);
}
