import { Worker } from 'node:worker_threads';
import { SheetNotDrawn, type Sheet, type SheetPress } from '../../core/exports/sheet/sheet.ts';
import { programUrl } from '../threads/program.ts';

/** Far more than 2,000 rows and a map need: a sheet that wants more must not take the console's memory. */
const mostMemoryMb = 512;

/**
 * Draws each sheet in a thread of its own, which ends with it: fonts and glyphs are a hundred megabytes that
 * nothing else needs, and a thread can be ended in the middle of its work.
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
        const worker = begun(program, sheet, memoryMb);
        const end = (): void => {
          signal.removeEventListener('abort', cancel);
          void worker.terminate();
        };
        const cancel = (): void => {
          end();
          reject(new SheetNotDrawn('it was cancelled'));
        };
        signal.addEventListener('abort', cancel);
        worker.once('message', (bytes: Uint8Array) => {
          end();
          resolve(bytes);
        });
        // A death after the answer, or after the cancelling, settles nothing any more.
        worker.once('error', (error: Error) => {
          end();
          reject(new SheetNotDrawn(error.message));
        });
        worker.once('exit', () => {
          end();
          reject(new SheetNotDrawn('its thread ended'));
        });
      }),
  };
}

/** @throws SheetNotDrawn when no thread can be begun. */
function begun(program: () => URL, sheet: Sheet, memoryMb: number): Worker {
  try {
    return new Worker(program(), {
      name: 'sheet',
      workerData: sheet,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
  } catch (error) {
    throw new SheetNotDrawn(error instanceof Error ? error.message : 'no thread can be begun');
  }
}
