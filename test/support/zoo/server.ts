import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ZooApi, type ApiAnswer, type ApiRequest } from './api.ts';
import { Oracle } from './oracle.ts';
import { refused, ZooService } from './service.ts';
import { withTraits, type Traits } from './traits.ts';

/** What every protected request meets: 429, 503, 401 and no new token, or 403. */
export type Condition = 'well' | 'limited' | 'failing' | 'revoked' | 'forbidden';
/** What a decision meets: another operator was faster, or it takes effect and its answer is lost. */
export type DecisionFault = 'none' | 'conflict' | 'lost';

export interface ZooMission {
  readonly mission_id: string;
  readonly name: string;
  readonly requested_at: string;
  state: 'pending' | 'approved' | 'rejected';
}

export const retryAfterMs = 30_000;

/** A service of the zoo on a port of loopback, in real time, with what it knows to be true. */
export class ZooServer {
  readonly start = Date.now();
  readonly traits: Traits;
  readonly oracle: Oracle;
  readonly missions: ZooMission[];
  condition: Condition = 'well';
  decisionFault: DecisionFault = 'none';
  /** When a list of incidents was last answered with 200 and with 429, Unix milliseconds. */
  listedAt = 0;
  limitedAt = 0;
  readonly #api: ZooApi;
  readonly #server = createServer((request, response) => void this.#take(request, response));

  private constructor(odd: Partial<Traits>, missions: readonly string[]) {
    this.traits = withTraits(odd);
    this.oracle = new Oracle(this.traits, this.start);
    this.#api = new ZooApi(new ZooService(this.traits, this.start), () => Date.now() - this.start);
    this.missions = missions.map((id, index) => ({
      mission_id: id,
      name: `Search ${id}`,
      requested_at: new Date(this.start - (index + 5) * 60_000).toISOString(),
      state: 'pending',
    }));
  }

  static async open(odd: Partial<Traits>, missions: readonly string[] = []): Promise<ZooServer> {
    const server = new ZooServer(odd, missions);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const { method = 'GET', url: path = '/', headers } = incoming;
    const request = {
      method,
      path,
      headers: headers as ApiRequest['headers'],
      body: Buffer.concat(pieces).toString(),
    };
    const answer = this.#refusal(path) ?? this.#decision(request) ?? this.#api.answer(request);
    if (answer === 'lost') {
      incoming.socket.destroy();
      return;
    }
    if (path.startsWith('/incidents')) {
      if (answer.status === 200) this.listedAt = Date.now();
      if (answer.status === 429) this.limitedAt = Date.now();
    }
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      date: new Date().toUTCString(),
      ...answer.headers,
    });
    response.end(answer.body);
  }

  #refusal(path: string): ApiAnswer | null {
    if (path === '/health' || (path === '/login' && this.condition !== 'revoked')) return null;
    switch (this.condition) {
      case 'well':
        return null;
      case 'limited':
        return {
          ...refused(429, 'too many requests'),
          headers: { 'retry-after': String(retryAfterMs / 1_000) },
        };
      case 'failing':
        return refused(503, 'maintenance');
      case 'revoked':
        return refused(401, 'the credentials were revoked');
      case 'forbidden':
        return refused(403, 'scope incidents:read is missing');
    }
  }

  /** Null for a request about something else than missions. */
  #decision({ method, path, body }: ApiRequest): ApiAnswer | 'lost' | null {
    if (!path.startsWith('/admin/missions/')) return null;
    if (method === 'GET')
      return json({ missions: this.missions.filter(({ state }) => state === 'pending'), next_cursor: null });
    const { mission_id } = JSON.parse(body) as { readonly mission_id: string };
    const mission = this.missions.find((one) => one.mission_id === mission_id);
    if (mission === undefined) return refused(404, 'no such mission');
    if (this.decisionFault === 'conflict') {
      mission.state = 'rejected';
      return { ...refused(409, 'rejected already'), body: JSON.stringify(mission) };
    }
    mission.state = path.endsWith('/approve') ? 'approved' : 'rejected';
    return this.decisionFault === 'lost' ? 'lost' : json(mission);
  }
}

const json = (value: unknown): ApiAnswer => ({ status: 200, headers: {}, body: JSON.stringify(value) });
