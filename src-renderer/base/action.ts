import type { CommandName } from './commandKeys.ts';

export const actionGroups = ['go', 'incidents', 'map', 'look', 'work', 'views', 'account'] as const;
export type ActionGroup = (typeof actionGroups)[number];

/** Something that the console does, as the palette offers it. */
export interface Action {
  readonly id: string;
  readonly group: ActionGroup;
  /** What it does, in the page's language. */
  readonly name: string;
  /** The command whose keys do it too; set by the registry, from the table of keys. */
  readonly command?: CommandName;
  /** Of a switch: whether it is on. */
  readonly on?: boolean;
  /** Whether it does something to the selected incidents. */
  readonly ofSelection?: boolean;
  /** Why it cannot be done now; null when it can. */
  readonly unavailable: string | null;
  /** What is asked before it is done; for what cannot be taken back by doing the opposite. */
  readonly confirm?: { readonly question: string; readonly does: string };
  readonly run: () => void;
}
