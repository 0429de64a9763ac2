import { describe, expect, it } from 'vitest';
import { loginScenarios, type LoginScenario, type LoginScenarioName } from './support/loginScenarios.ts';
import { countLogins } from './support/virtualLogins.ts';

const tenMinutes = 600_000;
const count = (name: LoginScenarioName) => countLogins(loginScenarios[name], tenMinutes);

/** The whole console on a virtual clock; the program `countLogins` prints the figures of the same scenarios. */
describe('logins in ten minutes after the sign-in', () => {
  it.each([
    'a: every token refused, a stream and five uploads',
    'b: every token refused, three pollers',
  ] as const)('%s: two, and the session says what is wrong', async (name) => {
    const { logins, requests, session } = await count(name);
    expect(logins).toBe(2);
    // Health is asked every 15 s; each other operation at most twice per token.
    expect(requests).toBeLessThan(80);
    expect(session).toMatchObject({
      state: 'tokens-refused',
      failure: { code: 'tokens-refused', status: 401 },
    });
  });

  it('f: lists that accept a token do not end the rest of a stream and uploads that never do', async () => {
    const { logins, session } = await count(
      'f: lists accept the token, the stream and five uploads never do',
    );
    expect(logins).toBe(2);
    expect(session?.state).toBe('active');
  });

  it('c: what other servers take for the time costs none', async () => {
    const { logins, session } = await count('c: lists answer with a Date of 59 minutes later');
    expect(logins).toBe(0);
    expect(session?.state).toBe('active');
  });

  it('d: tokens that live little longer than the margin cost one a minute, and nothing is refused', async () => {
    const { logins, refused } = await count('d: tokens of 62 to 65 s');
    expect(logins).toBeLessThanOrEqual(10);
    expect(logins).toBeGreaterThanOrEqual(9);
    expect(refused).toBe(0);
  });

  it('e: logins that hang keep to their backoff, though health answers', async () => {
    const scenario: LoginScenario = loginScenarios['e: logins hang while health answers'];
    const { logins, gaps, session } = await countLogins(scenario, tenMinutes);
    expect(session?.state).toMatch(/^(waiting|renewing)$/);
    expect(logins).toBeGreaterThan(5);
    // An attempt takes 15 s; the wait after the nth is at least half of 2 s, 4 s, 8 s ... 60 s.
    gaps.forEach((gap, nth) =>
      expect(gap).toBeGreaterThanOrEqual(15_000 + Math.min(30_000, 1_000 * 2 ** nth)),
    );
  });
});
