import type { Page } from '@playwright/test';
import type { Camera, Columns, PanelName } from '../../src-preload/contract/index.ts';

/** What of the page's own state a picture may ask for: everything that an operator sets by a click. */
export interface Shown {
  readonly panel?: PanelName;
  readonly drawer?: 'training' | 'sync' | 'storage' | 'events' | null;
  readonly overlay?: 'palette' | 'shortcuts' | 'tour' | 'words' | 'export' | 'hand-over' | 'take-over' | null;
  readonly search?: string;
  readonly listPart?: 'all' | 'unlocated' | 'not-returned';
  /** Half of the page, as a second window shows it. */
  readonly pane?: 'all' | 'map' | 'list';
  /** A span of time in Unix ms, both ends inclusive; null for all of it. */
  readonly timeWindow?: { readonly from: number; readonly to: number } | null;
  readonly columns?: Columns;
  readonly timeline?: boolean;
  /** Where the map is to look. */
  readonly cameraWish?: { readonly camera: Camera; readonly fly: boolean };
  /** Selects the incident on this row of the console's table; null for none. */
  readonly selectedRow?: number | null;
}

/**
 * Shows a state of the workspace without a click, so that one list of pictures goes through every language:
 * names are what differs between them.
 */
export async function show(page: Page, shown: Shown): Promise<void> {
  await page.evaluate(({ selectedRow, ...rest }) => {
    interface Mounted extends Element {
      readonly __vue_app__: { readonly config: { readonly globalProperties: { readonly $pinia: Stores } } };
    }
    interface Stores {
      readonly state: { readonly value: { readonly ui: Record<string, unknown> } };
      readonly _s: Map<string, { readonly table: { readonly columns: { readonly key: Float64Array } } }>;
    }
    const { $pinia } = document.querySelector<Mounted>('#app')!.__vue_app__.config.globalProperties;
    Object.assign($pinia.state.value.ui, rest);
    if (selectedRow === undefined) return;
    const key = selectedRow === null ? null : $pinia._s.get('mirror')?.table.columns.key[selectedRow];
    $pinia.state.value.ui['selected'] = key ?? null;
  }, shown);
}
