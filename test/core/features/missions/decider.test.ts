import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import { flush } from '../../../support/clock.ts';
import { createMissionRig, cut, refusedWith, took } from './missionRig.ts';
import { saying } from '../../../support/messages.ts';

/** The row of one mission, as it lies on the disk. */
const kept = (rig: ReturnType<typeof createMissionRig>): Record<string, unknown> =>
  JSON.parse([...rig.records.tables.decisions.values()][0] ?? '{}') as Record<string, unknown>;

async function started() {
  const rig = createMissionRig();
  rig.list = () => [{ mission_id: 'm-1' }];
  await rig.start();
  await flush();
  return rig;
}

describe('a decision', () => {
  it('that meets a fault of the console’s own may have been done', async () => {
    const rig = await started();
    rig.decide = () => {
      throw new TypeError('a fault');
    };
    expect(await rig.approve('m-1')).toMatchObject({
      ok: true,
      value: {
        outcome: 'unknown',
        failure: {
          code: 'internal',
          sentence: saying(
            'Internal console error (TypeError). The service may or may not have acted on the decision.',
          ),
        },
      },
    });
  });

  it('may be given again at the very moment that a 429 named', async () => {
    const rig = await started();
    const retryAt = rig.clock.wallNow() + 90_000;
    rig.decide = () => refusedWith(429, 'too-many-requests', { retryAt });
    await rig.approve('m-1');
    rig.decide = () => took();
    await rig.clock.advance(89_999);
    expect(await rig.approve('m-1')).toMatchObject({ failure: { code: 'too-many-requests' } });
    await rig.clock.advance(1);
    expect(await rig.approve('m-1')).toMatchObject({ value: { outcome: 'done' } });
  });

  it('met with 409 keeps the service’s own sentence where the list cannot be read', async () => {
    const rig = await started();
    const conflict = refusedWith(409, 'conflict');
    rig.decide = () => conflict;
    rig.listFailure = makeFailure({ code: 'unreachable', at: 0 });
    const { sentence } = makeFailure({ code: 'conflict', at: 0 });
    expect(await rig.approve('m-1')).toMatchObject({
      value: { outcome: 'conflict', failure: { status: 409, sentence } },
    });
  });

  it('that is sent again is shown as under way, and seen at that time', async () => {
    const rig = await started();
    rig.decide = () => cut();
    await rig.approve('m-1');
    const first = rig.clock.wallNow();
    expect(kept(rig)).toMatchObject({ seen: first });
    await rig.clock.advance(5_000);
    rig.decide = () => {
      expect(rig.mission('m-1')?.decided).toMatchObject({ outcome: 'sending', failure: null });
      expect(kept(rig)).toMatchObject({ outcome: 'sending', at: first, seen: first + 5_000 });
      return cut();
    };
    await rig.approve('m-1', true);
    expect(rig.decided).toHaveLength(2);
    expect(kept(rig)).toMatchObject({ outcome: 'unknown', seen: first + 5_000 });
  });

  it('given again though nothing was decided is refused, and not sent as a first one', async () => {
    const rig = await started();
    expect(await rig.approve('m-1', true)).toMatchObject({ failure: { code: 'conflict' } });
    expect(rig.decided).toEqual([]);
  });
});
