import { computed } from 'vue';
import { language, t, type MessageKey } from '../i18n/index.ts';

const regions = computed(() => new Intl.DisplayNames([language.value], { type: 'region' }));

/** A country's name in the page's language, by its ISO 3166 alpha-2 code. */
export const countryName = (code: string): string => regions.value.of(code) ?? code;

/** What the basemap names beside countries. */
const parts: Readonly<Partial<Record<string, MessageKey>>> = {
  somaliland: 'maps.parts.somaliland',
  northernCyprus: 'maps.parts.northernCyprus',
  siachenGlacier: 'maps.parts.siachenGlacier',
  indianOcean: 'maps.parts.indianOcean',
  ashmoreCartier: 'maps.parts.ashmoreCartier',
};

/** The name of what the basemap labels (build/basemap.ts), in the page's language. */
export function labelName(code: string): string {
  const key = parts[code];
  return key === undefined ? countryName(code) : t(key);
}
