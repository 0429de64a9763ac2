import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import type {
  CheckedDeployment,
  DeploymentCheckState,
  Failure,
  Result,
} from '../../../src-preload/contract/index.ts';
import { savePrepared } from '../../base/bridge/getFile.ts';
import { useCommand } from '../../base/command.ts';
import { pageFailure } from '../../base/failure.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';

const notSaved = pageFailure('bridge-lost', 'deploymentCheck.notSaved', 'deploymentCheck.notSavedRemedy');

export interface DeploymentCheck {
  readonly state: ComputedRef<DeploymentCheckState>;
  readonly failure: ShallowRef<Failure | null>;
  readonly busy: ComputedRef<boolean>;
  /** The check's own failure, or that of the last command. */
  readonly shown: ComputedRef<Failure | null>;
  start(of: CheckedDeployment, username: string, password: string): Promise<Result<null> | null>;
  cancel(): void;
  /** Takes the report away, and ends a check that runs. */
  dismiss(): void;
  save(what: 'report' | 'file'): Promise<void>;
  /** Proposes the file that follows as if it had been added by hand; whether it was taken as a proposal. */
  propose(text: string): Promise<boolean>;
}

/** The check of a deployment as one dialog sees it. What it shows is the console's slice; nothing is stored here. */
export function useDeploymentCheck(): DeploymentCheck {
  const bridge = useBridge();
  const { verbs } = bridge;
  const mirror = useMirror();
  const failure = shallowRef<Failure | null>(null);
  const { busy, run, alone } = useCommand(failure);
  const state = computed<DeploymentCheckState>(() => mirror.deploymentCheck ?? { kind: 'none' });
  return {
    state,
    failure,
    busy,
    shown: computed(() => failure.value ?? (state.value.kind === 'failed' ? state.value.failure : null)),
    start: (of, username, password) => alone(() => verbs.startDeploymentCheck({ of, username, password })),
    cancel: () => void run(verbs.cancelDeploymentCheck({})),
    dismiss: () => void run(verbs.dismissDeploymentCheck({})),
    save: async (what) => {
      await alone(() => savePrepared(bridge, verbs.prepareDeploymentCheck({ what }), notSaved));
    },
    propose: async (text) => (await alone(() => verbs.proposeDeployment({ text })))?.ok === true,
  };
}
