import { parentPort, workerData } from 'node:worker_threads';
import { drawSheet } from '../../core/exports/sheet/drawing.ts';
import type { Sheet } from '../../core/exports/sheet/sheet.ts';

/** A thread that draws one sheet and ends. What it throws, its owner hears. */
const bytes = await drawSheet(workerData as Sheet);
parentPort?.postMessage(bytes, [bytes.buffer]);
