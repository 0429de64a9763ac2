import { afterEach, expect, it, vi } from 'vitest';
import { showAlarmNotice } from '../../../../../src-renderer/features/alarms/siren/alarmNotice.ts';

class FakeNotification {
  static permission = 'granted';
  static shown: FakeNotification[] = [];
  static refuses = false;
  onclick: (() => void) | null = null;
  closed = false;
  readonly title: string;
  readonly options: unknown;
  constructor(title: string, options: unknown) {
    if (FakeNotification.refuses) throw new TypeError('No notifications here');
    this.title = title;
    this.options = options;
    FakeNotification.shown.push(this);
  }
  close(): void {
    this.closed = true;
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
  FakeNotification.shown = [];
  FakeNotification.permission = 'granted';
  FakeNotification.refuses = false;
});
const install = (): void => {
  vi.stubGlobal('window', { Notification: FakeNotification });
  vi.stubGlobal('Notification', FakeNotification);
};

it('asks the host to raise the window when it is clicked', () => {
  install();
  let raised = 0;
  showAlarmNotice('Field Console', '2 alarms', () => (raised += 1));
  const [shown] = FakeNotification.shown;
  expect(shown).toMatchObject({
    title: 'Field Console',
    options: { body: '2 alarms', tag: 'alarm', silent: true },
  });
  expect(raised).toBe(0);
  shown?.onclick?.();
  expect(raised).toBe(1);
  expect(shown?.closed).toBe(true);
});

it('shows nothing that was not permitted, and breaks nothing where there is none', () => {
  install();
  FakeNotification.permission = 'denied';
  showAlarmNotice('Field Console', 'x', () => undefined);
  FakeNotification.permission = 'granted';
  FakeNotification.refuses = true;
  showAlarmNotice('Field Console', 'x', () => undefined);
  vi.stubGlobal('window', {});
  showAlarmNotice('Field Console', 'x', () => undefined);
  expect(FakeNotification.shown).toEqual([]);
});
