import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Traffic } from '../../../../src-main/core/service/transport/traffic.ts';
import { StillClock } from '../../../support/clock.ts';
import { createRig, signedIn } from './service.ts';

class CountedSocket extends Socket {
  override bytesRead = 0;
  override bytesWritten = 0;
}

it('counts open and ended connections, by the hour and by the day', () => {
  const clock = new StillClock();
  const traffic = new Traffic(clock);
  const [one, two] = [new CountedSocket(), new CountedSocket()];
  traffic.carry(one);
  traffic.carry(two);
  Object.assign(one, { bytesRead: 1_000, bytesWritten: 100 });
  expect(traffic.review()).toMatchObject({ hour: { received: 1_000, sent: 100 } });
  Object.assign(two, { bytesRead: 50, bytesWritten: 5 });
  one.emit('close');
  one.bytesRead = 7_000;
  clock.advance(1_800_000);
  expect(traffic.review()).toMatchObject({ hour: { received: 1_050, sent: 105 }, spanMs: 1_800_000 });
  clock.advance(1_800_000);
  const all = { received: 1_050, sent: 105 };
  expect(traffic.review()).toMatchObject({ hour: { received: 50, sent: 5 }, day: all });
  clock.advance(23 * 3_600_000);
  const none = { received: 0, sent: 0 };
  expect(traffic.review()).toEqual({ hour: none, day: { received: 50, sent: 5 }, spanMs: 86_400_000 });
  clock.advance(3_600_000);
  expect(traffic.review()).toMatchObject({ hour: none, day: none });
});

it('counts requests and answers with their headers', async () => {
  const rig = await signedIn(await createRig());
  const before = rig.link.line.state(0);
  await rig.ports.clock.drive(rig.link.infrastructure.listIncidents({}));
  const { hour, since } = rig.link.line.state(0);
  const [sent, received] = [hour.sent - before.hour.sent, hour.received - before.hour.received];
  const { headers } = rig.service.seen.at(-1) ?? { headers: {} };
  expect(sent).toBeGreaterThan(Object.entries(headers).join('\r\n').length);
  expect(received).toBeGreaterThan('HTTP/1.1 200 OK\r\n'.length + '[]'.length);
  expect(Math.max(sent, received)).toBeLessThan(1_000);
  expect(since).toBeLessThanOrEqual(0);
  await rig.close();
});
