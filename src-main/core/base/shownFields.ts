import type { ShownField } from '../../../src-preload/contract/index.ts';
import { cappedJson, cappedText, ownValue, type JsonObject } from './json.ts';

/** The most fields of an object that are looked at. */
export const mostFields = 64;
const longestName = 256;
const longestValue = 2_048;
/** The most characters of all fields of an object: a list of 100,000 objects must fit into memory. */
const longestObject = 16_384;

/** All fields of an object for display, in their order, as shortened JSON text. */
export function shownFields(object: JsonObject): ShownField[] {
  const fields: ShownField[] = [];
  let left = longestObject;
  for (const name of Object.keys(object)) {
    if (fields.length >= mostFields || left <= 0) break;
    const json = cappedJson(ownValue(object, name), Math.min(longestValue, left));
    fields.push({ name: cappedText(name, longestName), json });
    left -= json.length;
  }
  return fields;
}

/** Whether one of the fields is exactly this text, or this number. */
export const namesInField = (fields: readonly ShownField[], text: string): boolean => {
  const quoted = JSON.stringify(text);
  return fields.some(({ json }) => json === quoted || json === text);
};
