import type { App, LoginItemSettings, Settings } from 'electron';

/** The system's list of what starts at login, as Windows and macOS keep it. */
export class FakeLoginItems implements Pick<
  App,
  'getLoginItemSettings' | 'isPackaged' | 'setLoginItemSettings'
> {
  isPackaged = true;
  on = false;
  /** Switched off by hand in the system's own list. */
  vetoed = false;
  /** Set where the system does not take it. */
  refuses: 'no' | 'silently' | 'throws' = 'no';
  readonly asked: Settings[] = [];
  getLoginItemSettings(): LoginItemSettings {
    if (this.refuses === 'throws') throw new Error('Not allowed');
    return {
      openAtLogin: this.on,
      wasOpenedAtLogin: false,
      status: this.on ? 'enabled' : 'not-registered',
      executableWillLaunchAtLogin: this.on && !this.vetoed,
      launchItems: [],
    };
  }
  setLoginItemSettings(settings: Settings): void {
    this.asked.push(settings);
    if (this.refuses !== 'no') return;
    this.on = settings.openAtLogin === true;
    this.vetoed = false;
  }
}
