import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Alarm, SirenState } from '../../../../../src-preload/contract/index.ts';
import {
  isUrgent,
  repeatMs,
  soundDue,
  type SirenMoment,
} from '../../../../../src-renderer/features/alarms/siren/due.ts';
import { SirenPlayer, type SoundState } from '../../../../../src-renderer/features/alarms/siren/player.ts';
import {
  patternLength,
  tonesOf,
  type SirenLevel,
} from '../../../../../src-renderer/features/alarms/siren/tones.ts';
import { SirenTurn, type Turn } from '../../../../../src-renderer/features/alarms/siren/turn.ts';

const levels: readonly SirenLevel[] = [1, 2, 3];

describe('the patterns', () => {
  it('differ in rhythm and pitch, and grow with the level', () => {
    const rhythm = levels.map((level) =>
      tonesOf(level)
        .map(({ at }) => at)
        .join(),
    );
    expect(new Set(rhythm).size).toBe(3);
    const lengths = levels.map(patternLength);
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
    const counts = levels.map((level) => tonesOf(level).length);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });

  it.each(levels)('level %d can be heard and never comes near full scale', (level) => {
    const tones = tonesOf(level);
    for (const { at, length, hertz } of tones) {
      expect(length).toBeGreaterThan(0.05);
      expect(hertz).toBeGreaterThan(400);
      expect(hertz).toBeLessThan(1_500);
      const together = tones.filter((one) => one.at <= at && at < one.at + one.length);
      expect(together.reduce((sum, { peak }) => sum + peak, 0)).toBeLessThanOrEqual(0.45);
    }
  });

  it('is over before the most urgent one sounds again', () => {
    expect(patternLength(3) * 1_000).toBeLessThan(repeatMs);
  });
});

const siren: SirenState = {
  sequence: 4,
  level: 2,
  kind: 'incident',
  severity: 'high',
  unacknowledged: 1,
  worstSeverity: 'high',
  mutedUntil: null,
  sound: true,
  notifications: 'off',
};
const alarm = (level: number): Alarm => ({
  id: 'a',
  kind: 'incident',
  level,
  severity: 'high',
  at: 0,
  sentence: { text: 'New incident.' },
  incidentIds: [],
  count: 1,
  listed: 0,
  acknowledgedAt: null,
  note: null,
  snoozedUntil: null,
  escalatedAt: null,
  recoveredAt: null,
});
const due = (change: Partial<SirenState>, moment: Partial<SirenMoment> = {}): SirenLevel | null =>
  soundDue({
    siren: { ...siren, ...change },
    active: [],
    heard: { sequence: 3, at: null },
    serverNow: 1_000,
    at: 50_000,
    ...moment,
  });

describe('what is to sound', () => {
  it('is each alarm once, at its level', () => {
    expect(due({})).toBe(2);
    expect(due({ level: 3 })).toBe(3);
    expect(due({}, { heard: { sequence: 4, at: null } })).toBeNull();
  });

  it('is nothing while it is muted or switched off', () => {
    expect(due({ mutedUntil: 1_001 })).toBeNull();
    expect(due({ mutedUntil: 1_000 })).toBe(2);
    expect(due({ sound: false })).toBeNull();
    expect(due({ level: 3, mutedUntil: 9_000 }, { active: [alarm(3)] })).toBeNull();
  });

  it('is not what was acknowledged before it could sound', () => {
    expect(due({ unacknowledged: 0, worstSeverity: null })).toBeNull();
  });

  it('is the most urgent again and again until it is acknowledged', () => {
    const heard = { sequence: 4, at: 40_000 };
    expect(due({}, { active: [alarm(2), alarm(3)], heard, at: 40_000 + repeatMs - 1 })).toBeNull();
    expect(due({}, { active: [alarm(2), alarm(3)], heard, at: 40_000 + repeatMs })).toBe(3);
    expect(due({}, { active: [alarm(2)], heard, at: 40_000 + repeatMs })).toBeNull();
  });

  it('is known while locked from how bad the worst is', () => {
    expect(isUrgent({ ...siren, level: 3 }, null)).toBe(true);
    expect(isUrgent({ ...siren, worstSeverity: 'Critical' }, null)).toBe(true);
    expect(isUrgent(siren, null)).toBe(false);
    expect(isUrgent({ ...siren, level: 3, unacknowledged: 0 }, null)).toBe(false);
  });
});

/** As much of an AudioContext as the player touches; it counts what reaches its output. */
class FakeContext {
  state = 'suspended';
  currentTime = 0;
  onstatechange: (() => void) | null = null;
  readonly destination = {};
  readonly starts: number[] = [];
  reachedOutput = 0;
  allowed = true;
  failing = false;
  resume(): Promise<void> {
    if (this.allowed) this.state = 'running';
    this.onstatechange?.();
    return this.allowed ? Promise.resolve() : Promise.reject(new Error('NotAllowedError'));
  }
  suspend(): Promise<void> {
    this.state = 'suspended';
    this.onstatechange?.();
    return Promise.resolve();
  }
  createGain() {
    if (this.failing) throw new Error('InvalidStateError');
    const parameter = { setValueAtTime: () => undefined, linearRampToValueAtTime: () => undefined };
    return {
      gain: parameter,
      disconnect: () => undefined,
      connect: (to: unknown) => (this.reachedOutput += to === this.destination ? 1 : 0),
    };
  }
  createOscillator() {
    return {
      frequency: { setValueAtTime: () => undefined },
      connect: () => undefined,
      start: (at: number) => this.starts.push(at),
      stop: () => undefined,
    };
  }
}

function playing(context: FakeContext | null): { player: SirenPlayer; states: SoundState[] } {
  const states: SoundState[] = [];
  const player = new SirenPlayer({
    makeContext: () => {
      if (context === null) throw new Error('NotSupportedError');
      return context as unknown as AudioContext;
    },
    onState: (state) => states.push(state),
  });
  return { player, states };
}

describe('the player', () => {
  it('says that it is blocked until a gesture lets it, and then sounds', async () => {
    const context = new FakeContext();
    const { player, states } = playing(context);
    expect(player.play(3)).toBe(false);
    expect(states).toEqual(['blocked']);
    await player.enable();
    expect(states).toEqual(['blocked', 'ready']);
    expect(player.play(3)).toBe(true);
    expect(context.reachedOutput).toBe(tonesOf(3).length);
  });

  it('stays blocked when the browser refuses once more', async () => {
    const context = new FakeContext();
    context.allowed = false;
    const { player, states } = playing(context);
    await player.enable();
    expect(player.play(1)).toBe(false);
    expect(states).toEqual(['blocked']);
  });

  it('lets two patterns follow each other', async () => {
    const context = new FakeContext();
    const { player } = playing(context);
    await player.enable();
    player.play(2);
    const first = context.starts.length;
    player.play(1);
    expect(Math.min(...context.starts.slice(first))).toBeGreaterThanOrEqual(patternLength(2));
  });

  describe('between two patterns', () => {
    beforeEach(() => {
      vi.useFakeTimers();
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    /** A player whose first pattern is over, its context at rest. */
    async function rested(): Promise<ReturnType<typeof playing> & { readonly context: FakeContext }> {
      const context = new FakeContext();
      const made = playing(context);
      await made.player.enable();
      expect(made.player.play(1)).toBe(true);
      await vi.advanceTimersByTimeAsync(patternLength(1) * 1_000);
      expect(context.state).toBe('running');
      await vi.advanceTimersByTimeAsync(5_000);
      expect(context.state).toBe('suspended');
      return { ...made, context };
    }

    it('rests, and is ready all the same', async () => {
      const { context, player, states } = await rested();
      expect(states).toEqual(['blocked', 'ready']);
      const before = context.reachedOutput;
      expect(player.play(3)).toBe(true);
      expect(context.reachedOutput).toBe(before + tonesOf(3).length);
      expect(context.state).toBe('running');
      await vi.advanceTimersByTimeAsync(60_000);
      expect(context.state).toBe('suspended');
      expect(states).toEqual(['blocked', 'ready']);
    });

    it('rests too when nothing ever sounded', async () => {
      const context = new FakeContext();
      const { player, states } = playing(context);
      await player.enable();
      await vi.advanceTimersByTimeAsync(5_000);
      expect(context.state).toBe('suspended');
      expect(states).toEqual(['blocked', 'ready']);
    });

    it('says that it is blocked when the browser does not let it run again', async () => {
      const { context, player, states } = await rested();
      context.allowed = false;
      player.play(3);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(states).toEqual(['blocked', 'ready', 'blocked']);
      context.allowed = true;
      await player.enable();
      expect(states.at(-1)).toBe('ready');
    });
  });

  it('breaks nothing on a computer without sound', async () => {
    const { player, states } = playing(null);
    expect(player.play(3)).toBe(false);
    await player.enable();
    expect(states).toEqual(['failed']);

    const context = new FakeContext();
    const broken = playing(context);
    await broken.player.enable();
    context.failing = true;
    expect(broken.player.play(3)).toBe(false);
    expect(broken.states.at(-1)).toBe('failed');
  });
});

/** A browser's locks as the specification has them: one holder, the others in line. */
class FakeLocks implements Pick<LockManager, 'request'> {
  failing = false;
  #held = false;
  readonly #line: (() => void)[] = [];

  async request(name: string, ...rest: unknown[]): Promise<never> {
    const callback = rest.at(-1) as LockGrantedCallback<unknown>;
    const { ifAvailable = false, signal } = (rest.length > 1 ? rest[0] : {}) as LockOptions;
    await Promise.resolve();
    if (this.failing) throw new DOMException('', 'SecurityError');
    signal?.throwIfAborted();
    if (this.#held && ifAvailable) return (await callback(null)) as never;
    if (this.#held) {
      await new Promise<void>((granted, refused) => {
        this.#line.push(granted);
        signal?.addEventListener('abort', () => {
          const at = this.#line.indexOf(granted);
          if (at < 0) return;
          this.#line.splice(at, 1);
          refused(signal.reason as Error);
        });
      });
    }
    this.#held = true;
    try {
      return (await callback({ name, mode: 'exclusive' })) as never;
    } finally {
      const next = this.#line.shift();
      if (next) next();
      else this.#held = false;
    }
  }
}

describe('of several windows', () => {
  function windowOn(locks: FakeLocks | undefined) {
    const turns: Turn[] = [];
    return { turns, turn: new SirenTurn(locks, (now) => turns.push(now)) };
  }
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

  it('one sounds, and when it closes the next one in line takes over', async () => {
    const locks = new FakeLocks();
    const [first, second, third] = [windowOn(locks), windowOn(locks), windowOn(locks)];
    for (const { turn } of [first, second, third]) turn.take();
    expect(first.turns).toEqual(['asking']);
    await settled();
    expect([first, second, third].map(({ turns }) => turns.at(-1))).toEqual(['own', 'other', 'other']);
    first.turn.leave();
    await settled();
    expect([first, second, third].map(({ turns }) => turns.at(-1))).toEqual(['none', 'own', 'other']);
    // Whoever can be heard again waits for another turn.
    first.turn.take();
    first.turn.take();
    await settled();
    second.turn.leave();
    await settled();
    expect([first, second, third].map(({ turns }) => turns.at(-1))).toEqual(['other', 'none', 'own']);
  });

  it('one that leaves the line has no turn any more, and holds up nobody', async () => {
    const locks = new FakeLocks();
    const [first, second, third] = [windowOn(locks), windowOn(locks), windowOn(locks)];
    for (const { turn } of [first, second, third]) turn.take();
    await settled();
    second.turn.leave();
    first.turn.leave();
    await settled();
    expect(second.turns).toEqual(['asking', 'other', 'none']);
    expect(third.turns.at(-1)).toBe('own');
  });

  it('one that leaves before it was answered does not keep the turn', async () => {
    const locks = new FakeLocks();
    const [first, second] = [windowOn(locks), windowOn(locks)];
    first.turn.take();
    first.turn.leave();
    second.turn.take();
    await settled();
    expect(first.turns).toEqual(['asking', 'none']);
    await settled();
    expect(second.turns.at(-1)).toBe('own');

    // Nor does one that has asked twice.
    first.turn.take();
    second.turn.leave();
    await settled();
    first.turn.take();
    second.turn.take();
    first.turn.leave();
    await settled();
    expect(second.turns.at(-1)).toBe('own');
  });

  it('all sound where the browser can’t say whose turn it is', async () => {
    const failing = new FakeLocks();
    failing.failing = true;
    for (const locks of [undefined, failing]) {
      const { turn, turns } = windowOn(locks);
      turn.take();
      await settled();
      expect(turns).toEqual(['asking', 'own']);
    }
  });
});
