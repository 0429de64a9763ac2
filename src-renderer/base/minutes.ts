/** `HH:MM` of a minute of the day, as a time field has it. */
export function textOfMinute(minute: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** The minute of the day that `HH:MM` (or `HH:MM:SS`) names; null for anything else. */
export function minuteOfText(text: string): number | null {
  const [, hours, minutes] = /^(\d{2}):(\d{2})(?::\d{2})?$/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const minute = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && minute < 1_440 ? minute : null;
}
