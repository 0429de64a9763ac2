import { execFileSync, spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import project from '../../package.json' with { type: 'json' };

const script = 'build/release-notes.ts';

it('a release says what the changelog says of this version, and of no other', () => {
  const notes = execFileSync('node', [script, `v${project.version}`], { encoding: 'utf8' });
  expect(notes).toMatch(/^\*\*Upgrading from 0\.2\*\*/m);
  expect(notes).toContain('### Added');
  expect(notes).not.toContain('\n## ');
});

it('a version that the changelog does not know has no release', () => {
  const { status, stderr } = spawnSync('node', [script, '9.9.9'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'CHANGELOG.md says nothing of version “9.9.9”.\n',
  });
});
