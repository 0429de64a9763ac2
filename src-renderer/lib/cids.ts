import type { CidProfile, CidVerdict } from '../../src-preload/contract/index.ts';

/** A CID for a row: its first and its last characters, which are what people compare. */
export const shortCid = (cid: string): string => shortened(cid, 8, 8);

/** An opaque id beside other things: its ends, by which it is told from the next. */
export const shortId = (id: string): string => shortened(id, 6, 6);

const shortened = (text: string, head: number, tail: number): string =>
  text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;

export const verdictWords: Readonly<Record<CidVerdict, string>> = {
  match: 'matches',
  differs: 'differs',
  'not-verifiable': 'not verifiable',
};

/** How the bytes are cut and linked before they are named. */
export const profileWords: Readonly<Record<CidProfile, string>> = {
  'v1-raw-256k': 'CIDv1, raw leaves, 256 KiB chunks',
  'v0-256k': 'CIDv0, 256 KiB chunks',
  'v1-raw-1m': 'CIDv1, raw leaves, 1 MiB chunks',
};

/** What a verdict means for the operator, in one sentence. */
export function verdictSentence(verdict: CidVerdict, profile: CidProfile | null): string {
  switch (verdict) {
    case 'match':
      return profile === null
        ? 'The CID computed on this computer is the same.'
        : `The CID computed on this computer is the same (${profileWords[profile]}).`;
    case 'differs':
      return 'This CID is a plain SHA-256, and of other bytes than those of the file.';
    case 'not-verifiable':
      return 'None of the usual ways to import a file gives this CID. Another way may, so it says nothing about the bytes.';
  }
}
