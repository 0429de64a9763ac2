import { z } from 'zod';

/** How old what is shown is; derived by the core, in one place, for every dataset. */
export const freshnessSchema = z.enum(['none', 'fresh', 'ageing', 'stale', 'offline']);
export type Freshness = z.infer<typeof freshnessSchema>;
