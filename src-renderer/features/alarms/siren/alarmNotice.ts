/**
 * Shows a notification of the system about alarms, where that was permitted. `raise` brings the window to the
 * front: a page of the desktop application cannot do that.
 */
export function showAlarmNotice(title: string, body: string, raise: () => void): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  try {
    // One at a time: a later alarm takes the place of the one before it.
    const shown = new Notification(title, { body, tag: 'alarm', silent: true });
    shown.onclick = () => {
      raise();
      shown.close();
    };
  } catch {
    // A system without notifications: the banner and the sound are there all the same.
  }
}
