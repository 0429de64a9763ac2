/** So many characters in a row are a part of a secret; of a shorter secret, all. */
const leastPart = 6;

/**
 * Whether a text repeats one of the secrets or a part of it: as it is or in any case, percent-encoded (also twice), in
 * base64 (of both alphabets, also behind a user name) or in hexadecimal digits.
 */
export function repeatsSecret(text: string, secrets: readonly string[]): boolean {
  const read = [text, decoded(text), decoded(decoded(text))];
  const lower = read.map((one) => one.toLowerCase());
  return secrets.some((secret) => {
    if (secret === '') return false;
    const bytes = Buffer.from(secret);
    const plain = [secret.toLowerCase(), bytes.toString('hex')];
    return (
      plain.some((form) => lower.some((one) => sharesPart(one, form, Math.min(leastPart, form.length)))) ||
      base64Forms(bytes).some((form) => read.some((one) => sharesPart(base64Url(one), form, partOf(form))))
    );
  });
}

const partOf = (form: string): number => Math.min(leastPart + 2, form.length);

function sharesPart(text: string, secret: string, length: number): boolean {
  for (let at = 0; at + length <= text.length; at += 1) {
    if (secret.includes(text.slice(at, at + length))) return true;
  }
  return false;
}

/** The text with its percent signs read, wherever they are well formed. */
const decoded = (text: string): string =>
  text.replaceAll(/(?:%[\da-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
  );

const base64Url = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');

/** Base64 depends on how many bytes stand before: the three alignments, without digits that other bytes decide. */
const base64Forms = (bytes: Buffer): string[] =>
  [0, 1, 2]
    .map((before) => {
      const all = Buffer.concat([Buffer.alloc(before), bytes]);
      const digits = Math.floor((all.length * 8) / 6);
      return all.toString('base64url').slice(Math.ceil((before * 8) / 6), digits);
    })
    .filter((form) => form !== '');
