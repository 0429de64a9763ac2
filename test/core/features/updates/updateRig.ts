import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createFolderSource } from '../../../../src-main/adapters/updates/folderSource.ts';
import { createPrivateFolder } from '../../../../src-main/adapters/updates/privateFolder.ts';
import { createServerSource } from '../../../../src-main/adapters/updates/serverSource.ts';
import { noPolicy, policyStateOf, type Policy } from '../../../../src-main/core/features/policy/policy.ts';
import type { UpdateTrust } from '../../../../src-main/core/features/updates/trust.ts';
import type {
  CheckedPackage,
  InstallOutcome,
  UpdateHost,
} from '../../../../src-main/core/features/updates/updateHost.ts';
import { Updates } from '../../../../src-main/core/features/updates/updates.ts';
import { noControl } from '../../../../src-main/core/features/ports.ts';
import type { ConsoleStore } from '../../../../src-main/core/state/consoleStore.ts';
import type { TestPorts } from '../../../support/ports.ts';
import { createFeatureRig } from '../../featureRig.ts';
import { certificate, privateKey } from '../../service/transport/certificate.ts';
import { running, target, type TestRelease } from './releases.ts';
import { createTestNetwork } from '../../../support/ports.ts';
import { english } from '../../../../src-main/core/base/messages/message.ts';

export interface UpdateRig {
  readonly feature: Updates;
  readonly ports: TestPorts;
  readonly store: ConsoleStore;
  /** What was handed to the installer. */
  readonly installed: CheckedPackage[];
  readonly state: () => ReturnType<typeof slice>['state'];
  /** The sentence of the refusal that is shown. */
  readonly said: () => string | null;
}

const slice = (store: ConsoleStore) => store.slice('updates');

export interface RigOptions {
  readonly trust: UpdateTrust;
  readonly policy?: Policy;
  readonly version?: string;
  /** The same ports are the next start on the same data folder. */
  readonly ports?: TestPorts;
  /** The folder that the operator chooses; null for none. */
  readonly stick?: string | null;
  readonly host?: Partial<UpdateHost>;
  readonly outcome?: InstallOutcome;
}

/** A desk over real files and sockets; only the installer is a recorder, and the clock a test's. */
export function openUpdates(options: RigOptions): UpdateRig {
  const { policy = noPolicy, outcome = { kind: 'begun' }, stick = null } = options;
  const rig = createFeatureRig({ ...options, slices: { policy: policyStateOf(policy) } });
  const { store } = rig;
  const installed: CheckedPackage[] = [];
  const updates: UpdateHost = {
    offered: 'yes',
    trust: options.trust,
    target,
    server: (address) =>
      createServerSource({
        ...{ address, clock: rig.clock },
        network: createTestNetwork({ authorities: () => [certificate] }),
      }),
    chooseFolder: () => Promise.resolve(stick === null ? null : createFolderSource(stick)),
    folder: createPrivateFolder(rig.dataDir),
    install: (checked) => {
      installed.push(checked);
      return Promise.resolve(outcome);
    },
    ...options.host,
  };
  const ports: TestPorts = { ...rig, control: { ...noControl, updates } };
  const { version = running } = options;
  const feature = new Updates({ ...rig, policy, version, ports });
  feature.start();
  const state = (): ReturnType<typeof slice>['state'] => slice(store).state;
  const said = (): string | null => {
    const now = state();
    return now.kind === 'refused' ? english(now.failure.sentence) : null;
  };
  return { feature, ports, store, installed, state, said };
}

export interface ReleaseServer {
  readonly address: string;
  /** What is offered; its files are answered from memory. */
  release: TestRelease | null;
  /** Answers in another way, by path; what it leaves alone is answered as usual. */
  otherwise: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly asked: string[];
  close(): Promise<void>;
}

/** A generic https server with the three files of a release under `/field/`. */
export async function serveReleases(release: TestRelease | null): Promise<ReleaseServer> {
  const asked: string[] = [];
  const server: Server = createServer({ cert: certificate, key: privateKey }, (request, response) => {
    asked.push(request.url ?? '');
    if (serving.otherwise(request, response)) return;
    const { release: now } = serving;
    const files = new Map<string, Buffer>();
    if (now !== null) {
      files.set('/field/release.json', now.manifest);
      files.set('/field/release.json.sig', now.signature);
      files.set(`/field/${now.file}`, now.content);
    }
    const body = files.get(request.url ?? '');
    response.statusCode = body === undefined ? 404 : 200;
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const serving: ReleaseServer = {
    address: `https://127.0.0.1:${String((server.address() as AddressInfo).port)}/field`,
    release,
    otherwise: () => false,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return serving;
}
