/** The fields of the training service's HealthResponse, under neutral names (interface: HealthResponse). */
export interface IntegrationStates {
  ai_analysis: boolean;
  ipfs_pinning: boolean;
  ledger: string;
}

export type IntegrationField = keyof IntegrationStates;

/** What `GET /health` reports: three integrations, and the overall text that follows from them. */
export class Integrations {
  #states: IntegrationStates = { ai_analysis: true, ipfs_pinning: true, ledger: 'ok' };

  set<F extends IntegrationField>(field: F, value: IntegrationStates[F]): void {
    this.#states = { ...this.#states, [field]: value };
  }

  report(): { readonly status: string } & Readonly<IntegrationStates> {
    const { ai_analysis, ipfs_pinning, ledger } = this.#states;
    const well = ai_analysis && ipfs_pinning && ledger === 'ok';
    return { status: well ? 'ok' : 'degraded', ...this.#states };
  }
}
