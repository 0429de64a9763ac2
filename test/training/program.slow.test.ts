import { expect, test } from 'vitest';
import { running } from './programRun.ts';

interface Story {
  readonly evidence: readonly unknown[];
  readonly missions: readonly unknown[];
}

/** What two runs have in common: their times begin when they do. */
async function storyOf(seed: number): Promise<Story> {
  return running(['--seed', String(seed)], async (said) => {
    expect(said.get('Seed')).toBe(String(seed));
    const infrastructure = said.get('Infrastructure API') ?? '';
    const login = await fetch(`${infrastructure}/login`, {
      method: 'POST',
      body: JSON.stringify({ username: said.get('User name'), password: said.get('Password') }),
    });
    const { token } = (await login.json()) as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    const read = async (url: string, list: string, fields: readonly string[]): Promise<unknown[]> => {
      const answer = (await (await fetch(url, { headers })).json()) as Record<
        string,
        Record<string, unknown>[]
      >;
      return (answer[list] ?? []).map((item) => fields.map((field) => item[field]));
    };
    return {
      evidence: await read(`${infrastructure}/evidence?limit=200`, 'evidence', ['id', 'cid', 'incident_id']),
      missions: await read(`${said.get('Coordination API') ?? ''}/admin/missions/pending`, 'missions', [
        'mission_id',
        'name',
        'risk',
      ]),
    };
  });
}

test('the same seed tells the same story in two runs, another seed another', async () => {
  const [one, same, other] = [await storyOf(11), await storyOf(11), await storyOf(12)];
  expect(one.evidence.length).toBeGreaterThan(30);
  expect(one.missions.length).toBeGreaterThan(2);
  expect(same).toEqual(one);
  expect(other.evidence).not.toEqual(one.evidence);
  expect(other.missions).not.toEqual(one.missions);
});
