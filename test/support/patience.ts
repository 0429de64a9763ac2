import process from 'node:process';

/**
 * How long a test waits for what must come, in ms. A machine that is busy with other work computes twenty times as
 * slowly and stalls for seconds, so these are for what never comes; nothing that passes waits for them.
 */
export const patience = { step: 120_000, test: 600_000 };

/**
 * How often a test that failed may run again, but for those of campaigns. One that passes only then is named at
 * the end of the run; one of an attack (docs/security-evidence.md) has failed all the same. `--loaded` repeats nothing.
 */
export const repeats = Number(process.env['FIELD_CONSOLE_RETRIES'] ?? 1);
