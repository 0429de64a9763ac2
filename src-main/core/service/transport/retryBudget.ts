/** What all operations of one link may spend on retries together. */
export interface RetryBudget {
  /** An operation was answered: a tenth of a retry more. */
  earn(): void;
  /** Takes one retry; false when there is none left. */
  spend(): boolean;
}

const tenthsPerRetry = 10;
const mostTenths = 2 * tenthsPerRetry;

/**
 * A token bucket filled by success only: in an outage nothing flows in, so that after the two retries
 * it holds every operation costs one request, and over any time at most 1.1 (counted in tenths, since
 * ten times 0.1 is less than 1).
 */
export function createRetryBudget(): RetryBudget {
  let tenths = mostTenths;
  return {
    earn() {
      tenths = Math.min(mostTenths, tenths + 1);
    },
    spend() {
      if (tenths < tenthsPerRetry) return false;
      tenths -= tenthsPerRetry;
      return true;
    },
  };
}
