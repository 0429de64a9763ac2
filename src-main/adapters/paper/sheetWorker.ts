import { parentPort, workerData } from 'node:worker_threads';
import { drawSheet } from '../../core/features/exports/sheet/drawing.ts';
import { Terminable } from '../threads/terminable.ts';
import type { SheetWork } from './sheetPress.ts';

/** A thread that draws one sheet and ends. What it throws, its owner hears. */
const { sheet, state } = workerData as SheetWork;
const bytes = await drawSheet(sheet, new Terminable(state));
parentPort?.postMessage(bytes, [bytes.buffer]);
