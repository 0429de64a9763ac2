import { z } from 'zod';

/** The kinds of system that each need their own first light, with the words for them. */
export const systems = {
  'linux-x11': 'Ubuntu on X11',
  'linux-wayland': 'Ubuntu on Wayland',
  windows: 'Windows',
  macos: 'macOS',
} as const;
export type SystemName = keyof typeof systems;

export const stepSchema = z.strictObject({
  id: z.string().max(40),
  name: z.string().max(120),
  outcome: z.enum(['passed', 'failed', 'not-run']),
  detail: z.string().max(2_000),
  milliseconds: z.number().min(0),
});
export type ReportedStep = z.infer<typeof stepSchema>;

/** One first light of one system. Nothing in it names a person, a computer or a folder. */
export const reportSchema = z.strictObject({
  version: z.literal(1),
  /** What ran the console: a stand-in is never a first light. */
  host: z.enum(['desktop', 'desktop host on stand-in']),
  system: z.enum(Object.keys(systems) as [SystemName, ...SystemName[]]),
  /** What was started: a folder of `dist`, or in words. */
  started: z.string().max(80),
  /** ISO 8601, UTC. */
  at: z.iso.datetime(),
  versions: z.strictObject({
    console: z.string(),
    /** Of the system: its name and release. */
    system: z.string(),
    architecture: z.string(),
    electron: z.string().nullable(),
    chrome: z.string().nullable(),
    node: z.string().nullable(),
  }),
  steps: z.array(stepSchema),
});
export type Report = z.infer<typeof reportSchema>;

export const countOf = ({ steps }: Pick<Report, 'steps'>, outcome: ReportedStep['outcome']): number =>
  steps.filter((step) => step.outcome === outcome).length;

/** Whether the report is of a first light: the console told of itself on Electron. */
export const isFirstLight = (report: Report): boolean =>
  report.host === 'desktop' && report.versions.electron !== null;

/**
 * What README, docs/install.md and the release notes say of where the desktop application has run. It follows from the
 * reports in docs/first-light and from nothing else. A system without a step for it (a window manager, a key store) is
 * no fault of the console: such steps are named as not run.
 */
export function sentenceOf(reports: readonly Report[]): string {
  const said = Object.entries(systems).map(([system, words]) => {
    const report = reports
      .filter((one) => one.system === system && isFirstLight(one))
      .sort((one, other) => other.at.localeCompare(one.at))[0];
    return `${words}: ${report === undefined ? 'never run yet' : ranOn(report)}`;
  });
  return `First light of the desktop application: ${said.join('; ')}.`;
}

function ranOn(report: Report): string {
  const { at, versions, steps } = report;
  const named = (['failed', 'not-run'] as const).flatMap((outcome) => {
    const ids = steps.filter((step) => step.outcome === outcome).map(({ id }) => id);
    return ids.length === 0 ? [] : [`${outcome.replace('-', ' ')}: ${ids.join(', ')}`];
  });
  const missing = named.length === 0 ? '' : ` (${named.join('; ')})`;
  const count = `${String(countOf(report, 'passed'))} of ${String(steps.length)} steps`;
  return `ran on ${at.slice(0, 10)} with Electron ${String(versions.electron)}, ${count}${missing}`;
}
