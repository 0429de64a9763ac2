import type { Failure, Result } from '../../../../../src-preload/contract/index.ts';
import type { ListIncidentsParams } from '../../../service/api/infrastructure.ts';

const mostRequests = 32;

/**
 * Asks for a list severity by severity and, where that answer is a full page too, status by status,
 * with at most 32 requests.
 *
 * @param ask answers whether the page was full.
 * @returns why it had to stop; null when all was asked.
 */
export async function narrowList(
  values: { readonly severities: readonly string[]; readonly statuses: readonly string[] },
  ask: (filter: Pick<ListIncidentsParams, 'severity' | 'status'>) => Promise<Result<boolean>>,
): Promise<Failure | null> {
  let left = mostRequests;
  for (const severity of values.severities) {
    if (left <= 0) return null;
    left -= 1;
    const full = await ask({ severity });
    if (!full.ok) return full.failure;
    for (const status of full.value ? values.statuses : []) {
      if (left <= 0) return null;
      left -= 1;
      const narrowed = await ask({ severity, status });
      if (!narrowed.ok) return narrowed.failure;
    }
  }
  return null;
}
