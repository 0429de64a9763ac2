/** The control: a process that does nothing but watch its own event loop. */
import process from 'node:process';
import { watchLoop } from './loop.ts';

const seen = watchLoop();
process.on('message', () => process.send?.(seen()));
process.on('disconnect', () => process.exit());
