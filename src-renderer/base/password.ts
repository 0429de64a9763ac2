/**
 * Takes a password out of its field: reads it and empties the field at once, so that it exists
 * nowhere in the page but in the argument of the one call it is made for.
 */
export function takePassword(field: HTMLInputElement | null): string {
  if (field === null) return '';
  const password = field.value;
  field.value = '';
  return password;
}
