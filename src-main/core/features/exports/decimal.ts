/**
 * A finite number as `xsd:decimal` and RFC 4180 readers take it: never with an exponent. To 12 places, far
 * below what any coordinate is known to.
 */
export function decimalText(value: number): string {
  const plain = String(value);
  if (!plain.includes('e')) return plain;
  if (Math.abs(value) >= 1) return BigInt(Math.trunc(value)).toString();
  const text = value.toFixed(12).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}
