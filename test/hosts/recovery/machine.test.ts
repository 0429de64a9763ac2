import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mostReloads,
  nothingRemembered,
  recover,
  reloadWindowMs,
  startRecovery,
  wellAfterMs,
  type Now,
  type RecoveryEvent,
  type RecoveryState,
  type RecoveryStep,
} from '../../../src-main/hosts/recovery/machine.ts';

type Kind = RecoveryEvent['kind'];
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const wallStart = Date.UTC(2026, 10, 21);
const at = (ms: number): Now => ({ elapsed: 5_000_000 + ms, wall: wallStart + ms });

/** What happens at which second, and what is done then: `reload 5` is one after 5 s, `!` a hard one. */
function play(
  story: readonly (readonly [number, Kind])[],
  state = startRecovery(nothingRemembered),
): { steps: string[]; state: RecoveryState } {
  const steps: string[] = [];
  let now = state;
  for (const [seconds, kind] of story) {
    const { state: next, step } = recover(now, { kind }, at(seconds * second));
    now = next;
    steps.push(words(step));
  }
  return { steps, state: now };
}

function words(step: RecoveryStep): string {
  switch (step.kind) {
    case 'none':
      return '-';
    case 'reload':
      return `reload ${String(step.afterMs / second)}${step.hard ? '!' : ''}`;
    case 'relaunch':
    case 'stop':
      return `${step.kind} ${step.reason}`;
  }
}

const relaunchedAgo = (...minutes: readonly number[]): RecoveryState =>
  startRecovery({ ...nothingRemembered, relaunches: minutes.map((ago) => wallStart - ago * minute) });

describe('trouble of the page', () => {
  const cases: readonly (readonly [string, readonly (readonly [number, Kind])[], readonly string[]])[] = [
    ['a page that is gone is loaded again', [[0, 'page-gone']], ['reload 1']],
    ['one that hangs is ended first', [[0, 'page-unresponsive']], ['reload 1!']],
    ['one that is silent is ended first', [[0, 'page-silent']], ['reload 1!']],
    [
      'three times, each after a longer wait, then the console is started again',
      [
        [0, 'page-gone'],
        [10, 'page-gone'],
        [20, 'page-gone'],
        [60, 'page-gone'],
      ],
      ['reload 1', 'reload 5', 'reload 20', 'relaunch page-gone'],
    ],
    [
      'what comes before a reload that is due belongs to the same trouble',
      [
        [0, 'page-unresponsive'],
        [0.2, 'page-gone'],
        [0.9, 'page-silent'],
        [1, 'page-gone'],
      ],
      ['reload 1!', '-', '-', 'reload 5'],
    ],
    [
      'a page that dies every two minutes is loaded again for ever',
      [0, 2, 4, 6, 8, 10].map((minutes) => [minutes * 60, 'page-gone'] as const),
      ['reload 1', 'reload 5', 'reload 20', 'reload 20', 'reload 20', 'reload 20'],
    ],
    [
      'one that was well for five minutes has its three reloads again',
      [
        [0, 'page-gone'],
        [10, 'page-gone'],
        [20, 'page-gone'],
        [341, 'page-gone'],
      ],
      ['reload 1', 'reload 5', 'reload 20', 'reload 1'],
    ],
    [
      'nothing more is done while the process leaves',
      [
        [0, 'worker-died'],
        [1, 'page-gone'],
        [2, 'worker-died'],
        [3, 'page-well'],
      ],
      ['relaunch worker-died', '-', '-', '-'],
    ],
  ];
  it.each(cases)('%s', (_name, story, expected) => {
    expect(play(story).steps).toEqual(expected);
  });
});

describe('trouble of the GPU', () => {
  it('starts the console anew without it after three failures within five minutes', () => {
    const { steps, state } = play([
      [0, 'gpu-failing'],
      [60, 'gpu-failing'],
      [120, 'gpu-failing'],
    ]);
    expect(steps).toEqual(['-', '-', 'relaunch gpu-failing']);
    expect(state.remembered).toEqual({
      relaunches: [at(120_000).wall],
      gpuOffSince: at(120_000).wall,
      brokeAt: null,
    });
  });

  it('forgives failures that lie further apart', () => {
    expect(
      play([
        [0, 'gpu-failing'],
        [60, 'gpu-failing'],
        [301, 'gpu-failing'],
      ]).steps,
    ).toEqual(['-', '-', '-']);
  });

  it('is no reason for anything once the GPU is not used', () => {
    const off = startRecovery({ ...nothingRemembered, gpuOffSince: wallStart });
    expect(
      play(
        [
          [0, 'gpu-failing'],
          [1, 'gpu-failing'],
          [2, 'gpu-failing'],
        ],
        off,
      ).steps,
    ).toEqual(['-', '-', '-']);
  });
});

describe('relaunches', () => {
  it('are three within an hour, counted across processes, and then it stops for good', () => {
    const { steps, state } = play(
      [
        [0, 'worker-died'],
        [1, 'page-gone'],
        [2, 'worker-died'],
      ],
      relaunchedAgo(50, 40, 1),
    );
    expect(steps).toEqual(['stop worker-died', '-', '-']);
    expect(state.phase).toBe('stopped');
  });

  it('count no more after an hour', () => {
    expect(play([[0, 'worker-died']], relaunchedAgo(61, 40, 1)).steps).toEqual(['relaunch worker-died']);
  });

  it('that a wrong clock put far into the future do not count', () => {
    expect(play([[0, 'worker-died']], relaunchedAgo(-600, -600, -600)).steps).toEqual([
      'relaunch worker-died',
    ]);
  });

  it('are forgotten with all else when the page was well for long enough', () => {
    const minutes = wellAfterMs / minute;
    const story: (readonly [number, Kind])[] = [[0, 'page-gone']];
    for (let passed = 1; passed <= minutes + 1; passed += 1) story.push([passed * 60, 'page-well']);
    const { state } = play(story, relaunchedAgo(30, 20, 1));
    expect(state.reloads).toEqual([]);
    expect(state.remembered.relaunches).toEqual([]);
  });

  it('are not forgotten for a page that was ill in between', () => {
    const { state } = play(
      [
        [0, 'page-well'],
        [300, 'page-gone'],
        [302, 'page-well'],
        [700, 'page-well'],
      ],
      relaunchedAgo(1),
    );
    expect(state.remembered.relaunches).toHaveLength(1);
    // What the dying page still answered before the reload is no sign of the next one's health.
    const early = play(
      [
        [0, 'page-gone'],
        [0.5, 'page-well'],
      ],
      relaunchedAgo(1),
    );
    expect(early.state.wellSince).toBeNull();
  });
});

describe('whatever happens', () => {
  const kinds: readonly Kind[] = [
    'page-gone',
    'page-unresponsive',
    'page-silent',
    'gpu-failing',
    'worker-died',
    'page-well',
  ];
  const life = fc.array(
    fc.record({ kind: fc.constantFrom(...kinds), gapMs: fc.integer({ min: 0, max: 4 * minute }) }),
    { minLength: 1, maxLength: 120 },
  );
  const pageTroubles: ReadonlySet<Kind> = new Set(['page-gone', 'page-unresponsive', 'page-silent']);

  it('no five minutes hold more than three reloads, no hour more than three relaunches, and every trouble is answered', () => {
    fc.assert(
      fc.property(life, (events) => {
        let state = startRecovery(nothingRemembered);
        let elapsed = 0;
        let dueAt = -1;
        let stopped = false;
        const reloads: number[] = [];
        const relaunches: number[] = [];
        for (const { kind, gapMs } of events) {
          elapsed += gapMs;
          const { state: next, step } = recover(state, { kind }, at(elapsed));
          if (stopped) expect(step.kind).toBe('none');
          else if (kind === 'worker-died') expect(['relaunch', 'stop']).toContain(step.kind);
          // Either something is done about it, or the reload is still to come that will.
          else if (pageTroubles.has(kind) && step.kind === 'none') expect(elapsed).toBeLessThan(dueAt);
          else if (kind === 'page-well') expect(step.kind).toBe('none');
          state = next;
          switch (step.kind) {
            case 'none':
              break;
            case 'reload':
              dueAt = elapsed + step.afterMs;
              reloads.push(dueAt);
              break;
            case 'relaunch':
              relaunches.push(elapsed);
              // The next process begins with nothing but what was remembered.
              state = startRecovery(next.remembered);
              dueAt = -1;
              reloads.length = 0;
              break;
            case 'stop':
              stopped = true;
              break;
          }
          const newest = reloads.at(-1);
          if (newest !== undefined) {
            expect(reloads.filter((time) => newest - time < reloadWindowMs).length).toBeLessThanOrEqual(
              mostReloads,
            );
          }
        }
        // Ten quiet minutes in between forget the relaunches; without them an hour holds three at most.
        if (!events.some(({ kind }) => kind === 'page-well')) {
          for (const [index, time] of relaunches.entries()) {
            const fourth = relaunches[index + 3];
            if (fourth !== undefined) expect(fourth - time).toBeGreaterThanOrEqual(hour);
          }
        }
      }),
      { numRuns: 2_000, seed: 5 },
    );
  });
});
