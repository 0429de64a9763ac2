import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { Result, SavedView } from '../../../src-preload/contract/index.ts';
import { savePrepared } from '../../base/bridge/getFile.ts';
import { useCommand } from '../../base/command.ts';
import { pageFailure } from '../../base/failure.ts';
import { packagesOfView } from './viewPackages.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useCommands } from '../../base/stores/commands.ts';
import { useMaps } from '../maps/index.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';

/** A file of views on its way in, and the names in it that are there already. */
interface ViewsFile {
  readonly text: string;
  readonly replaces: readonly string[];
}

/** The names in a file of views, each once; none where it is no such file, which the console will say. */
export function namesInFile(text: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return [];
  }
  const entries = memberOf(value, 'views');
  if (!Array.isArray(entries)) return [];
  const names = entries.map((entry) => memberOf(entry, 'name'));
  return [...new Set(names.filter((name) => typeof name === 'string').map((name) => name.trim()))];
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;

/** Larger than any file of 64 views, in bytes. */
const largestFile = 1_000_000;
const notSaved = pageFailure('bridge-lost', 'views.notSaved', 'views.notSavedRemedy');

interface Imported {
  readonly added: number;
  readonly replaced: number;
  readonly unreadable: number;
}

/** Saved views: bringing one back, keeping what is shown, and sharing them as files. */
export const useViews = defineStore('views', () => {
  const bridge = useBridge();
  const { verbs } = bridge;
  const mirror = useMirror();
  const commands = useCommands();
  const ui = useUi();
  const maps = useMaps();
  const views = computed(() => mirror.workspace?.views ?? []);
  const { failure, run } = useCommand();
  /** What came of the last file. */
  const imported = shallowRef<Imported | null>(null);
  /** A file whose views would replace some that are there: the operator is asked first. */
  const asked = shallowRef<ViewsFile | null>(null);
  /** Map packages of the view that was brought back last which are not on this computer; until it is read. */
  const gone = shallowRef<readonly string[]>([]);

  async function settle(result: Promise<Result<unknown>>): Promise<boolean> {
    imported.value = null;
    return (await run(result)).ok;
  }

  /** Shows what a view holds. What was brushed out of the time is no part of one and would only hide something. */
  function apply(view: SavedView): void {
    const { range, severities, statuses, types, openOnly, search, columns, groupBy, overlays, camera } = view;
    void commands.changeQuery({ range, severities, statuses, types, openOnly });
    ui.timeWindow = null;
    ui.listPart = 'all';
    ui.search = search;
    ui.columns = columns;
    ui.groupBy = groupBy;
    ui.overlays = overlays;
    const packages = packagesOfView(view.packages, maps.packages);
    gone.value = packages?.gone ?? [];
    for (const { id, visible } of packages === null ? [] : maps.packages) {
      const shown = packages?.shown.has(id) === true;
      if (shown !== visible) void maps.setVisible(id, shown);
    }
    ui.look(camera, { fly: true });
  }

  /** Keeps what is shown under a name; one that is there already is replaced. */
  const save = (name: string): Promise<boolean> =>
    settle(verbs.saveView({ name, camera: ui.camera, search: ui.search }));

  const share = (shared: readonly SavedView[]): Promise<boolean> =>
    settle(savePrepared(bridge, verbs.exportViews({ ids: shared.map(({ id }) => id) }), notSaved));

  /** Reads a file of views and takes them in; asks first where some would be replaced. */
  async function open(file: File): Promise<void> {
    imported.value = null;
    failure.value = null;
    const text = file.size > largestFile ? null : await file.text().catch(() => null);
    if (text === null) {
      failure.value = pageFailure('file-refused', 'views.fileRefused', null);
      return;
    }
    const known = new Set(views.value.map(({ name }) => name));
    const replaces = namesInFile(text).filter((name) => known.has(name));
    if (replaces.length === 0) await takeIn(text);
    else asked.value = { text, replaces };
  }

  async function takeIn(text: string): Promise<void> {
    asked.value = null;
    const result = await run(verbs.importViews({ text }));
    imported.value = result.ok ? result.value : null;
  }

  return {
    views,
    failure,
    imported,
    asked,
    gone,
    apply,
    save,
    share,
    open,
    takeIn,
    rename: (id: string, name: string) => settle(verbs.renameView({ id, name })),
    move: (id: string, to: number) => settle(verbs.moveView({ id, to })),
    remove: (id: string) => settle(verbs.removeView({ id })),
  };
});
