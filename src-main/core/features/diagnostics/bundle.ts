/* eslint-disable words/literal-text -- English in every language: a file for support. */
import type { BundleFile, DiagnosticsReport, SelfTestStep } from '../../../../src-preload/contract/index.ts';
import { english } from '../../base/messages/message.ts';
import { instantText } from './factMessages.ts';
import type { BundledLog } from './logLines.ts';
import type { BundledFile } from './tools.ts';

export interface BundleContents {
  readonly report: DiagnosticsReport;
  readonly steps: readonly SelfTestStep[];
  readonly testedAt: number;
  readonly log: BundledLog;
}

interface Part extends BundleFile {
  readonly text: string;
}

const encoder = new TextEncoder();
/** In English, for the person who reads the bundle. */
const inEnglish = (step: SelfTestStep): Record<keyof SelfTestStep, string | number> => ({
  ...step,
  name: english(step.name),
  detail: english(step.detail),
});

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
/** One object on each line, with a readable time. */
const jsonLines = (values: readonly { readonly at: number }[]): string =>
  values.map((value) => `${JSON.stringify({ ...value, at: new Date(value.at).toISOString() })}\n`).join('');

function part(name: string, holds: string, text: string): Part {
  return { name, holds, text, bytes: encoder.encode(text).byteLength };
}

/** The files of a bundle, and the list of them that the page shows before saving. */
export function bundleFiles(contents: BundleContents): {
  readonly files: readonly BundledFile[];
  readonly listed: BundleFile[];
} {
  const { report, steps, testedAt, log } = contents;
  const { madeAt, sections, connections, requests } = report;
  const parts = [
    part(
      'report.json',
      'Versions, runtime, storage, vault, policy, connection and features, as the page shows them, with the deployment’s id and hosts.',
      json({ madeAt: instantText(madeAt), sections }),
    ),
    part(
      'self-test.json',
      'The result of each step of the self-test.',
      json({ testedAt: instantText(testedAt), steps: steps.map(inEnglish) }),
    ),
    part(
      'requests.jsonl',
      'The latest requests: time, method, path without ids, status, duration and request id.',
      jsonLines(requests),
    ),
    part('connections.jsonl', 'How the connections to the service changed.', jsonLines(connections)),
    part(
      'console.log',
      `${String(log.lines)} lines of the log; ${String(log.linesLeftOut)} lines and ${String(log.fieldsLeftOut)} fields were left out.`,
      log.text,
    ),
  ];
  const all = [
    part('README.txt', 'What is inside, what is not, and what to do with it.', readme(parts)),
    ...parts,
  ];
  return {
    files: all.map(({ name, text }) => ({ name, bytes: encoder.encode(text) })),
    listed: all.map(({ name, bytes, holds }) => ({ name, bytes, holds })),
  };
}

const readme = (parts: readonly Part[]): string => `Field Console: diagnostics

Inside
${parts.map(({ name, holds }) => `  ${name}\n      ${holds}`).join('\n')}

Not inside
  Passwords, tokens, codes and keys.
  User names.
  Incidents, evidence, missions, files and their names, the audit list.
  Bodies and headers of requests, and the values of their queries.
  Words of the service, and paths of this computer.

The hosts and the id of the deployment are inside, because support needs them. Give this file only to the
people who run the console or the service.
`;

/** As `field-console-diagnostics-20261120-1200.zip`, in UTC. */
export function bundleName(at: number): string {
  const digits = new Date(at).toISOString().replaceAll(/[-:]/g, '');
  return `field-console-diagnostics-${digits.slice(0, 8)}-${digits.slice(9, 13)}.zip`;
}
