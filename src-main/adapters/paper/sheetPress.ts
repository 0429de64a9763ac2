import { Worker } from 'node:worker_threads';
import { SheetNotDrawn, type Sheet, type SheetPress } from '../../core/features/exports/sheet/sheetPress.ts';
import { programUrl } from '../threads/program.ts';
import { Terminable } from '../threads/terminable.ts';

/** What the thread of a sheet is handed. */
export interface SheetWork {
  readonly sheet: Sheet;
  /** Of the `Terminable` that both sides share. */
  readonly state: Int32Array;
}

/** Far more than 2,000 rows and a map need: a sheet that wants more must not take the console's memory. */
const mostMemoryMb = 512;

/**
 * Draws each sheet in a thread of its own, which ends with it: fonts and glyphs are a hundred megabytes that
 * nothing else needs, and a thread can be ended in the middle of its work. One that is cancelled has ended when its
 * sheet rejects.
 */
export function createSheetPress({
  program = () => programUrl('paper', 'sheetWorker'),
  memoryMb = mostMemoryMb,
}: { readonly program?: () => URL; readonly memoryMb?: number } = {}): SheetPress {
  return {
    print: (sheet, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(new SheetNotDrawn('it was cancelled'));
          return;
        }
        const terminable = new Terminable();
        const worker = begun(program, { sheet, state: terminable.state }, memoryMb);
        const cancel = (): void => {
          if (terminable.stop()) void worker.terminate();
        };
        const why = (other: string): string => (signal.aborted ? 'it was cancelled' : other);
        signal.addEventListener('abort', cancel);
        // The first of these settles, and what comes after it changes nothing.
        worker.once('message', (bytes: Uint8Array) => {
          signal.removeEventListener('abort', cancel);
          void worker.terminate();
          resolve(bytes);
        });
        worker.once('error', (error: Error) => reject(new SheetNotDrawn(why(error.message))));
        worker.once('exit', () => {
          signal.removeEventListener('abort', cancel);
          reject(new SheetNotDrawn(why('its thread ended')));
        });
      }),
  };
}

/** @throws SheetNotDrawn when no thread can be begun. */
function begun(program: () => URL, work: SheetWork, memoryMb: number): Worker {
  try {
    return new Worker(program(), {
      name: 'sheet',
      workerData: work,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
  } catch (error) {
    throw new SheetNotDrawn(error instanceof Error ? error.message : 'no thread can be begun');
  }
}
