import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../src-main/core/base/ports.ts';
import type { App } from '../../../src-main/core/scopes/app.ts';
import { createApp } from '../../../src-main/core/scopes/index.ts';
import type { Ports } from '../../../src-main/core/features/ports.ts';
import type { SessionState } from '../../../src-preload/contract/index.ts';
import { ask, consoleOptions } from '../../support/console.ts';
import { Page } from './page.ts';
import { fileBytes } from './uploadFiles.ts';

/** A service that makes a console log in, and what the operator of that console has under way. */
export interface LoginScenario {
  /** How long the token of the nth login lives, seconds; the service refuses it afterwards. */
  readonly lifetimeSeconds: (login: number) => number;
  /** How far the `Date` of every answer but the login's is ahead, milliseconds. */
  readonly othersAheadMs: number;
  /** Which paths answer every token with 401; login and health never do. */
  readonly refuses: (path: string) => boolean;
  /** No login but the first is answered. */
  readonly loginHangs: boolean;
  readonly hasStream: boolean;
  readonly hasMissions: boolean;
  readonly uploads: number;
}

const calm: LoginScenario = {
  lifetimeSeconds: () => 3_600,
  othersAheadMs: 0,
  refuses: () => false,
  loginHangs: false,
  hasStream: false,
  hasMissions: false,
  uploads: 0,
};
const everything = (): boolean => true;
const minute = 60_000;

/** What cost logins, each by itself; the letters are those of the report of figures. */
export const loginScenarios = {
  'a: every token refused, a stream and five uploads': {
    ...calm,
    refuses: everything,
    hasStream: true,
    uploads: 5,
  },
  'b: every token refused, three pollers': { ...calm, refuses: everything, hasMissions: true },
  'c: lists answer with a Date of 59 minutes later': {
    ...calm,
    othersAheadMs: 59 * minute,
    hasMissions: true,
  },
  'd: tokens of 62 to 65 s': {
    ...calm,
    lifetimeSeconds: (login) => 62 + (login % 4),
    hasMissions: true,
    hasStream: true,
  },
  'e: logins hang while health answers': { ...calm, refuses: everything, loginHangs: true },
  'f: lists accept the token, the stream and five uploads never do': {
    ...calm,
    refuses: (path) => path === '/events' || path === '/storage',
    hasStream: true,
    uploads: 5,
  },
} as const satisfies Record<string, LoginScenario>;

export type LoginScenarioName = keyof typeof loginScenarios;

/** The service of a scenario, on a port of loopback that the system chooses. */
export class ScenarioService {
  readonly #scenario: LoginScenario;
  readonly #clock: Clock;
  readonly #server = createServer((request, response) => void this.#take(request, response));
  /** When a token ends, by the token; the clock's wall time. */
  readonly #ends = new Map<string, number>();
  /** Answers that never come, or never end. */
  #held = 0;
  /** `Clock.elapsed()` of every login. */
  readonly #loginTimes: number[] = [];
  #refused = 0;
  #requests = 0;

  constructor(scenario: LoginScenario, clock: Clock) {
    this.#scenario = scenario;
    this.#clock = clock;
  }

  get held(): number {
    return this.#held;
  }

  get logins(): number {
    return this.#loginTimes.length;
  }

  /** Milliseconds between the logins after the first one. */
  get gaps(): number[] {
    const [, ...later] = this.#loginTimes;
    return later.slice(1).map((time, nth) => time - (later[nth] ?? time));
  }

  /** Answers of 401. */
  get refused(): number {
    return this.#refused;
  }

  /** Logins included. */
  get requests(): number {
    return this.#requests;
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { refuses, othersAheadMs, loginHangs, lifetimeSeconds } = this.#scenario;
    const path = new URL(request.url ?? '/', 'http://service').pathname;
    const now = this.#clock.wallNow();
    this.#requests += 1;
    request.resume();
    await once(request, 'end').catch(() => undefined);
    response.setHeader('x-request-id', `r-${String(this.#requests)}`);
    response.setHeader('date', new Date(now + (path === '/login' ? 0 : othersAheadMs)).toUTCString());
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (path === '/health') return answer(200, { status: 'ok' });
    if (path === '/login') {
      this.#loginTimes.push(this.#clock.elapsed());
      if (loginHangs && this.logins > 1) return this.#hold(response);
      const expiresAt = Math.floor(now / 1_000) + lifetimeSeconds(this.logins);
      const token = `token-${String(this.logins)}`;
      this.#ends.set(token, expiresAt * 1_000);
      return answer(200, { token, expires_at: expiresAt });
    }
    const end = this.#ends.get((request.headers.authorization ?? '').replace('Bearer ', '')) ?? 0;
    if (now >= end || refuses(path)) {
      this.#refused += 1;
      return answer(401, { error: 'token invalid' });
    }
    if (path !== '/events') return answer(200, path === '/storage' ? { cid: `bafk${String(now)}` } : []);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': open\n\n');
    return this.#hold(response);
  }

  #hold(response: ServerResponse): void {
    this.#held += 1;
    response.once('close', () => (this.#held -= 1));
  }
}

/** A console at work in a scenario, an operator signed in. */
export class ScenarioConsole {
  readonly #console: App;
  readonly #page: Page;
  readonly #folder: string;

  private constructor(console: App, folder: string) {
    this.#console = console;
    this.#page = new Page(console);
    this.#folder = folder;
  }

  static async open(scenario: LoginScenario, ports: Ports, url: string): Promise<ScenarioConsole> {
    const folder = await mkdtemp(join(tmpdir(), 'field-console-logins-'));
    const path = join(folder, 'deployment.json');
    const deployment = {
      version: 1,
      id: 'logins',
      name: 'Logins',
      infrastructureUrl: url,
      coordinationUrl: url,
      timestampUnit: 'seconds',
      eventsPath: scenario.hasStream ? '/events' : null,
      missions: { pendingPath: scenario.hasMissions ? '/admin/missions/pending' : null },
    };
    await writeFile(path, JSON.stringify(deployment));
    return new ScenarioConsole(await createApp(ports, consoleOptions(path)), folder);
  }

  get session(): SessionState | undefined {
    return this.#page.slices.session?.session;
  }

  async signIn(): Promise<void> {
    await ask(this.#console, 'signIn', { username: 'operator', password: 'correct horse' });
  }

  async queue(files: number): Promise<void> {
    for (let file = 0; file < files; file += 1) {
      const fileName = `file-${String(file)}`;
      const bytes = fileBytes(fileName);
      const { uploadId } = await ask(this.#console, 'beginUpload', {
        fileName,
        bytes: bytes.byteLength,
        incidentId: null,
      });
      async function* body(): AsyncGenerator<Uint8Array> {
        yield await Promise.resolve(bytes);
      }
      const taken = await this.#console.bytes.spool(uploadId, body());
      if (taken !== 'kept') throw new Error(`${fileName} was not taken: ${taken}`);
    }
  }

  async close(): Promise<void> {
    await this.#console.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
