/**
 * Names of lakes in Natural Earth lost their letters with accents when they were converted ("Pijnne"). These are the ones of
 * ranks 0 to 10, as they are written there; null where the name is not certain, or where it names no lake.
 */
const mended: Readonly<Record<string, string | null>> = {
  'Alesayqin Ha': null,
  'Ataturk Barajt': 'Atatürk Barajı',
  Baven: 'Båven',
  'Berezovoe and Tungudskoe': null,
  CHIEMSEE: 'Chiemsee',
  'Corrib (Lough)': 'Lough Corrib',
  'Embalse de Buenda': 'Embalse de Buendía',
  'Embalse de Cara': null,
  'Embalse de Entrepeas': 'Embalse de Entrepeñas',
  'Embalse de Gurico': 'Embalse de Guárico',
  Essandsjen: 'Essandsjøen',
  'Hazar Dagi': null,
  'Hh Nuur': 'Höh Nuur',
  'Hinakud Dam': 'Hirakud Dam',
  'Iken Aqsuat Kli': null,
  'Iken Zhbolat Lake': null,
  Inarijrvi: 'Inarijärvi',
  'Jezioro ebsko': 'Jezioro Łebsko',
  'Kolimajärvi 52': 'Kolimajärvi',
  Kyrsjärvi: null,
  'Lac au Goland': 'Lac au Goéland',
  'Lac aux Golands': 'Lac aux Goélands',
  "Lago d' Iseo": "Lago d'Iseo",
  'Laguna Chil': null,
  'Laguna Iber': 'Laguna Iberá',
  'Lake Pltipi': 'Lake Plétipi',
  'Liman in Primorsko-Akhtarsk area': null,
  'Liman near Odessa': null,
  'Loch Lomond North Basin': 'Loch Lomond',
  'Loukhskoe ozereo': null,
  'Mask (Lough)': 'Lough Mask',
  Mhisa: null,
  Mjrn: 'Mjörn',
  Mritz: 'Müritz',
  Msvatn: 'Møsvatn',
  Neuchatel: 'Lac de Neuchâtel',
  Nordsj: 'Nordsjø',
  'North Caspian swamp': null,
  'Ozero Bolshoy Olr': null,
  'Ozero Chrtovo': 'Ozero Chërtovo',
  Pijnne: 'Päijänne',
  'Piilojärvi and Karasjärvi': null,
  Pjrvi: 'Pääjärvi',
  'Presa Lzaro Crdenas': 'Presa Lázaro Cárdenas',
  'Presa Manuel vila Camacho': 'Presa Manuel Ávila Camacho',
  'Presa Nezahualcyotl': 'Presa Nezahualcóyotl',
  Pyhjrvi: 'Pyhäjärvi',
  Pyhjärvi: 'Pyhäjärvi',
  Pyukhayärvi: null,
  'Represa Agua Vermetha': 'Represa Água Vermelha',
  'Repressa de Jupia': 'Represa de Jupiá',
  'Saksak Dagi': null,
  'Shardara Bgeni': 'Shardara Bögeni',
  'Susijärvi and Rugozero and Siikajärvi': null,
  'Tuulos and Koroppi': null,
  Vierwaldstttersee: 'Vierwaldstättersee',
  'Yalpug and Kugurlui': null,
  Yeren: 'Øyeren',
  'ZUERICH SEE': 'Zürichsee',
};

/** Words that lost their vowels in many names. */
const endings: readonly (readonly [damaged: RegExp, whole: string])[] = [
  [/ Kli$/u, ' Köli'],
  [/ Gl$/u, ' Gölü'],
  [/qkl$/u, 'qköl'],
  [/akl$/u, 'aköl'],
  [/^Rservoir /u, 'Réservoir '],
];

/** How a lake of Natural Earth is called on the map; null where it is not named. */
export function lakeName(name: string | null | undefined): string | null {
  if (!name) return null;
  const known = name in mended ? (mended[name] ?? null) : name;
  return known === null
    ? null
    : endings.reduce((text, [damaged, whole]) => text.replace(damaged, whole), oneLine(known));
}

/** A river's; only one of them lost a letter. */
export const riverName = (name: string | null | undefined): string | null =>
  name ? oneLine(name).replace('Kiz?lirmak', 'Kızılırmak') : null;

const oneLine = (name: string) => name.trim().replaceAll(/\s+/gu, ' ');
