import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import {
  anchorsFolderOf,
  createNodePorts,
  defaultDataFolder,
  moveRoamingData,
  openDataFolder,
  takeOwnership,
  type Owner,
} from '../adapters/index.ts';
import { textOf } from '../core/base/errors.ts';
import { english } from '../core/base/messages/message.ts';
import { noDeviceSecret, type DeviceSecretSource, type ForkProgram } from '../core/base/ports.ts';
import { Timer } from '../core/base/timer.ts';
import type { Policy } from '../core/features/policy/policy.ts';
import type { App } from '../core/scopes/app.ts';
import type { Network } from '../core/service/transport/network.ts';
import { createApp } from '../core/scopes/index.ts';
import type { HostControl, Ports } from '../core/features/ports.ts';
import type { StartOptions } from '../hosts/arguments.ts';
import { startTraining, type TrainingService } from '../training/index.ts';
import { policyOfStart } from './policy.ts';

/** Exit statuses of both hosts. */
export const exitStatus = { done: 0, failed: 1, refused: 2, owned: 3 } as const;

/** How long a locked console keeps its session, in milliseconds: a shift. */
const forgetAfterMs = 8 * 60 * 60 * 1000;

/** How often the lock of the data folder is checked, in milliseconds. */
const lockCheckMs = 10_000;

/** The common part of both hosts: a console that owns its data folder, with its parts. */
export interface RunningApp {
  readonly kind: 'open';
  readonly app: App;
  readonly ports: Ports;
  readonly dataDir: string;
  readonly policy: Policy;
  /** Writes this console's address for later starts. */
  announce(url: string): void;
  /** Closes all parts, each before those that it depends on. Never rejects. */
  close(): Promise<void>;
}

export type AppResult =
  | RunningApp
  | {
      readonly kind: 'owned';
      readonly dataDir: string;
      readonly owner: Owner | null;
      readonly sentence: string;
    }
  | { readonly kind: 'failed'; readonly sentence: string }
  | { readonly kind: 'refused'; readonly sentence: string };

/**
 * The data folder of a start. `--training` uses a separate folder beside the usual one, so that both can run on one
 * computer.
 */
export function dataFolderOf(start: StartOptions): string {
  if (start.dataDir !== null) return start.dataDir;
  const usual = defaultDataFolder(surroundings());
  return start.training ? join(usual, 'training') : usual;
}

const surroundings = () => ({ platform: process.platform, env: process.env, home: homedir() });

/** Moves data of 0.2 to the usual data folder. Call it first, since it changes what `dataFolderOf` returns. */
export function moveFormerData(start: StartOptions): void {
  if (start.dataDir === null) moveRoamingData(surroundings());
}

/** Opens the data folder, takes it for this process and starts the console in it. */
export async function openApp(options: {
  readonly host: 'desktop' | 'browser';
  readonly version: string;
  readonly start: StartOptions;
  /** Opens an https address in the system's browser; false when there is none. */
  readonly openExternal: (url: string) => Promise<boolean>;
  readonly control: HostControl;
  /** The secret in the system's key store for this user, for vault keys; absent where a host has no key store. */
  readonly deviceSecret?: (dataDir: string, policy: Policy) => DeviceSecretSource;
  /** Default: with the proxies of the environment. */
  readonly network?: Network;
  /** Default: processes of Node. */
  readonly fork?: ForkProgram;
}): Promise<AppResult> {
  const { host, version, start, openExternal, control } = options;
  const chosen = await policyOfStart({ start, platform: process.platform });
  if (!chosen.ok) return { kind: 'refused', sentence: chosen.sentence };
  const { policy } = chosen;
  // SQLite creates its journal with the process's mask, whatever the mode of the database.
  process.umask(0o077);
  const folder = await openDataFolder(dataFolderOf(start));
  if (!folder.ok) return { kind: 'failed', sentence: folder.sentence };
  const dataDir = folder.path;

  const ports = createNodePorts({
    dataDir,
    anchorsDir: anchorsFolderOf(surroundings()),
    logLevel: policy.logLevel,
    openExternal,
    control,
    fork: options.fork,
    network: options.network,
    deviceSecret: options.deviceSecret?.(dataDir, policy) ?? noDeviceSecret,
  });
  const owner = { pid: process.pid, host, startedAt: ports.clock.wallNow() };
  const lock = takeOwnership(dataDir, owner);
  if (!lock.owned) {
    await ports.close();
    if ('sentence' in lock) return { kind: 'failed', sentence: lock.sentence };
    return { kind: 'owned', dataDir, owner: lock.owner, sentence: whoHasIt(dataDir, lock.owner) };
  }
  const { source, kiosk } = policy;
  if (source !== 'none') ports.logger.info('policy', { source, path: policy.path, kiosk });
  if (policy.problem) ports.logger.warn('policy-invalid', { sentence: english(policy.problem.sentence) });

  const lockCheck = new Timer(ports.clock, () => {
    const state = lock.check();
    if (state === 'taken-again') ports.logger.warn('owner-lock-taken-again');
    if (state !== 'lost') return lockCheck.set(lockCheckMs);
    // Two consoles writing the same files would damage them.
    ports.logger.error('owner-lock-lost');
    control.leave();
  });
  lockCheck.set(lockCheckMs);
  let training: TrainingService | null = null;
  const release = async (): Promise<void> => {
    lockCheck.stop();
    await training?.close();
    lock.release();
    await ports.close();
  };
  try {
    const app = await createApp(ports, {
      version,
      host,
      named: start.named,
      startTraining: async () => {
        training = await startTraining(ports);
        return training;
      },
      forceTraining: start.training,
      forgetAfterMs,
      problem: policy.problem,
      policy,
    });
    return {
      kind: 'open',
      app,
      ports,
      dataDir,
      policy,
      announce: (url) => lock.announce({ ...owner, url }),
      close: async () => {
        try {
          await app.close();
        } catch (error) {
          ports.logger.error('close-failed', { message: textOf(error) });
        } finally {
          await release();
        }
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

function whoHasIt(dataDir: string, owner: Owner | null): string {
  if (owner === null) return `Another Field Console has the data folder ${dataDir}.`;
  const where =
    owner.host === 'desktop'
      ? 'in its own window'
      : `in a browser at ${owner.url ?? 'an address not known yet'}`;
  return `Another Field Console (process ${owner.pid}, ${where}) has the data folder ${dataDir}.`;
}
