import { shallowRef, type ShallowRef } from 'vue';
import type {
  BundleFile,
  DiagnosticsReport,
  Failure,
  SelfTestStep,
} from '../../../src-preload/contract/index.ts';
import { getFile } from '../../base/bridge/getFile.ts';
import { pageFailure } from '../../base/failure.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { readPageFacts } from './pageFacts.ts';

export interface Bundle {
  readonly exportId: string;
  readonly fileName: string;
  readonly files: readonly BundleFile[];
}

const notSaved = pageFailure('bridge-lost', 'failures.bundleNotSaved', 'failures.bundleNotSavedRemedy');

export interface Diagnostics {
  readonly report: Readonly<ShallowRef<DiagnosticsReport | null>>;
  readonly reading: Readonly<ShallowRef<boolean>>;
  readonly steps: Readonly<ShallowRef<readonly SelfTestStep[] | null>>;
  readonly testing: Readonly<ShallowRef<boolean>>;
  readonly bundle: Readonly<ShallowRef<Bundle | null>>;
  readonly making: Readonly<ShallowRef<boolean>>;
  /** The name under which the bundle was saved; null while it is not. */
  readonly saved: Readonly<ShallowRef<string | null>>;
  readonly failure: Readonly<ShallowRef<Failure | null>>;
  read(): Promise<void>;
  test(): Promise<void>;
  make(): Promise<void>;
  save(): Promise<void>;
  /** Takes the list of the bundle away. */
  put(): void;
}

/** What the diagnostics show, read when they are asked for and never by themselves. */
export function useDiagnostics(): Diagnostics {
  const bridge = useBridge();
  const { verbs } = bridge;
  const report = shallowRef<DiagnosticsReport | null>(null);
  const reading = shallowRef(false);
  const steps = shallowRef<readonly SelfTestStep[] | null>(null);
  const testing = shallowRef(false);
  const bundle = shallowRef<Bundle | null>(null);
  const making = shallowRef(false);
  const saved = shallowRef<string | null>(null);
  const failure = shallowRef<Failure | null>(null);

  /** Not twice at once; `busy` says that it runs. */
  async function alone(busy: ShallowRef<boolean>, work: () => Promise<Failure | null>): Promise<void> {
    if (busy.value) return;
    busy.value = true;
    failure.value = await work();
    busy.value = false;
  }

  const read = (): Promise<void> =>
    alone(reading, async () => {
      const result = await verbs.readDiagnostics({ page: readPageFacts() });
      if (!result.ok) return result.failure;
      report.value = result.value;
      return null;
    });

  async function test(): Promise<void> {
    await alone(testing, async () => {
      const result = await verbs.runSelfTest({ page: readPageFacts() });
      if (!result.ok) return result.failure;
      steps.value = result.value.steps;
      return null;
    });
    // The test has asked the service, which the other parts tell of.
    if (failure.value === null) await read();
  }

  const make = (): Promise<void> =>
    alone(making, async () => {
      saved.value = null;
      const result = await verbs.prepareBundle({ page: readPageFacts() });
      if (!result.ok) return result.failure;
      bundle.value = result.value;
      return null;
    });

  const save = (): Promise<void> =>
    alone(making, async () => {
      if (!bundle.value) return null;
      const { exportId, fileName } = bundle.value;
      if (!(await getFile(bridge, `export/${exportId}`, fileName))) {
        bundle.value = null;
        return notSaved;
      }
      saved.value = fileName;
      return null;
    });

  return {
    report,
    reading,
    steps,
    testing,
    bundle,
    making,
    saved,
    failure,
    read,
    test,
    make,
    save,
    put: () => {
      bundle.value = null;
    },
  };
}
