import { z } from 'zod';
import { callers, done, type VerbDeclarations } from './verb.ts';

export const themeNames = ['day', 'night', 'sunlight', 'red'] as const;
export const themeNameSchema = z.enum(themeNames);
export type ThemeName = z.infer<typeof themeNameSchema>;

/** Languages of the page, as BCP 47 tags. */
export const languages = ['en', 'es', 'fr', 'ar', 'hi', 'zh-Hans'] as const;
export type Language = (typeof languages)[number];

export const coordinateFormats = ['dd', 'dm', 'dms', 'utm', 'mgrs'] as const;
export type CoordinateFormat = (typeof coordinateFormats)[number];

export const lengthUnits = ['metric', 'imperial', 'nautical'] as const;
export type LengthUnits = (typeof lengthUnits)[number];

export const textSizes = ['small', 'normal', 'large', 'largest'] as const;
export type TextSize = (typeof textSizes)[number];

/** Minutes since midnight on the computer's own clock face. */
const minuteOfDay = z.int().min(0).max(1_439);

/** How wide the list comes, and how wide a reset of the layout makes it again, in CSS pixels. */
export const usualListWidth = 400;

/** How this computer shows the console; stored unsealed, since nothing of it is secret. */
export const preferencesSchema = z.strictObject({
  /** `schedule`: as `schedule` says; `system`: as the operating system's day or night. */
  theme: z.enum(['system', 'schedule', ...themeNames]),
  schedule: z.strictObject({
    day: themeNameSchema,
    night: themeNameSchema,
    dayFrom: minuteOfDay,
    nightFrom: minuteOfDay,
  }),
  textSize: z.enum(textSizes),
  /** Whether controls are large enough for fingers; `auto`: where the pointer is coarse. */
  touch: z.enum(['auto', 'on', 'off']),
  motion: z.enum(['system', 'reduced']),
  language: z.enum(['system', ...languages]),
  zone: z.enum(['utc', 'local']),
  coordinates: z.enum(coordinateFormats),
  units: z.enum(lengthUnits),
  listWidth: z.int().min(320).max(880),
  /** How large the desktop application draws its page; a browser has its own zoom. */
  zoom: z.number().min(0.5).max(3),
  /** Minutes without an operator after which the console locks, where no policy says; null for never. */
  idleLockMinutes: z.int().min(1).max(480).nullable(),
  /** Whether data is saved on the link, where no policy says; null: as the deployment says. */
  saveData: z.boolean().nullable(),
  /** Whether the desktop application shows its state in the system's tray. */
  tray: z.boolean(),
  /** Whether keys of one sign alone are shortcuts (WCAG 2.1.4). */
  singleKeys: z.boolean(),
  /** Whether the first-run tour was taken or skipped on this computer. */
  tourDone: z.boolean(),
});
export type Preferences = z.infer<typeof preferencesSchema>;

export const preferenceVerbs = {
  setPreferences: { access: callers.unlockedButTheme, request: preferencesSchema.partial(), reply: done },
} as const satisfies VerbDeclarations;
