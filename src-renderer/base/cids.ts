import type { CidProfile, CidVerdict } from '../../src-preload/contract/index.ts';
import { t } from '../i18n/index.ts';

/** A CID for a row: its first and its last characters, which are what people compare. */
export const shortCid = (cid: string): string => shortened(cid, 8, 8);

/** An opaque id beside other things: its ends, which tell ids apart. */
export const shortId = (id: string): string => shortened(id, 6, 6);

const shortened = (text: string, head: number, tail: number): string =>
  text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;

export const verdictWords = (verdict: CidVerdict): string => t(`evidence.verdict.${verdict}`);

/** How the bytes are cut and linked before they are named. */
export const profileWords = (profile: CidProfile): string => t(`evidence.profile.${profile}`);

/** What a verdict means for the operator, in one sentence. */
export function verdictSentence(verdict: CidVerdict, profile: CidProfile | null): string {
  switch (verdict) {
    case 'match':
      return profile === null
        ? t('evidence.verdictAbout.match')
        : t('evidence.verdictAbout.matchOf', { profile: profileWords(profile) });
    case 'differs':
    case 'not-verifiable':
      return t(`evidence.verdictAbout.${verdict}`);
  }
}
