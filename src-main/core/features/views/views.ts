import {
  failed,
  ok,
  type Camera,
  type Failure,
  type FailureCode,
  type IncidentQuery,
  type Layout,
  type MapPackage,
  type Position,
  type Result,
  type SavedView,
  type Workspace,
} from '../../../../src-preload/contract/index.ts';
import { sameValue } from '../../base/json.ts';
import { message, type Message } from '../../base/messages/message.ts';
import { PersistedDocument } from '../../vault/persistedDocument.ts';
import type { LocalAccount } from '../context.ts';
import type { Download } from '../exports/index.ts';
import { layoutAtStart, mostViews, readWorkspace, writeWorkspace } from './viewsDocument.ts';
import { readViewsFile, writeViewsFile, type SharedView } from './viewsFile.ts';

export const workspaceAtStart: Workspace = {
  restored: 0,
  layout: layoutAtStart,
  views: [],
  station: null,
  linked: null,
};

/** The most map packages in a view, and the longest stored name. */
const mostPackages = 64;
const longestName = 256;

/** The result of importing a file of views. */
type ImportedViews = { added: number; replaced: number; unreadable: number };

/**
 * The workspace of one account, sealed in its vault: layout, filters and saved views. The slice `workspace` and the
 * query in `incidents` are the only copy in memory.
 */
export class Views {
  readonly #account: LocalAccount;
  readonly #setQuery: (query: IncidentQuery) => void;
  readonly #document: PersistedDocument;
  #isLoaded = false;

  /** `setQuery` restores the filters from when the vault was last open. */
  constructor(account: LocalAccount, setQuery: (query: IncidentQuery) => void) {
    const { scope, store } = account;
    this.#account = account;
    this.#setQuery = setQuery;
    scope.onEnd(() => {
      // The count continues, so that a page can tell one restoration from the next.
      store.patch('workspace', { layout: layoutAtStart, views: [], station: null, linked: null });
    });
    this.#document = new PersistedDocument(account, 'workspace', () => this.#text());
  }

  /** Reads the stored workspace. Never rejects. */
  async load(): Promise<void> {
    const { scope, store } = this.#account;
    const asked = store.slice('incidents').query;
    const text = await this.#document.restore();
    if (scope.isOver) return;
    const kept = readWorkspace(text, { layout: layoutAtStart, query: asked, views: [], station: null });
    this.#isLoaded = true;
    // Filters that the operator set meanwhile take precedence over the stored ones.
    if (store.slice('incidents').query === asked) this.#setQuery(kept.query);
    const restored = store.slice('workspace').restored + 1;
    store.set('workspace', {
      restored,
      layout: kept.layout,
      views: [...kept.views],
      station: kept.station,
      linked: null,
    });
    this.#watchQuery();
  }

  keepLayout(change: Partial<Layout>): Result<null> {
    const { store } = this.#account;
    const unready = this.#unready();
    if (unready) return failed(unready);
    const { layout } = store.slice('workspace');
    const changed = { ...layout, ...change };
    if (sameValue(layout, changed)) return ok(null);
    store.patch('workspace', { layout: changed });
    this.#document.note();
    return ok(null);
  }

  /** Saves the present filters. A view with the same name keeps its id and its position. */
  saveView(name: string, camera: Camera | null, search: string): Result<SavedView> {
    const { store } = this.#account;
    const unready = this.#unready();
    if (unready) return failed(unready);
    const named = name.trim();
    if (named === '') return this.#refuse('malformed-request', message('view.needsName'));
    const { views, layout } = store.slice('workspace');
    const { query } = store.slice('incidents');
    const { columns, groupBy, overlays } = layout;
    const packages = shownPackages(store.slice('maps').packages);
    const shown = { name: named, camera, ...query, search, columns, groupBy, overlays, packages };
    const next = this.#withView(views, shown);
    const saved = next.find((view) => view.name === named);
    if (!saved || next.length > mostViews) {
      return this.#refuse('conflict', message('view.tooMany', { n: mostViews }), message('view.removeOne'));
    }
    this.#setViews(next);
    return ok(saved);
  }

  /** Renames a view. Its position and content stay. */
  renameView(id: string, name: string): Result<null> {
    const named = name.trim();
    if (named === '') return this.#refuse('malformed-request', message('view.needsName'));
    const { views } = this.#account.store.slice('workspace');
    if (views.some((view) => view.id !== id && view.name === named)) {
      return this.#refuse('conflict', message('view.nameTaken'), message('view.otherName'));
    }
    return this.#changeView(id, (known, at) =>
      known.map((view, index) => (index === at ? { ...view, name: named } : view)),
    );
  }

  /** Offers these views as a file to download, in the order of the list. */
  exportViews(ids: readonly string[]): Result<Download> {
    const { store, downloads, serverNow } = this.#account;
    const unready = this.#unready();
    if (unready) return failed(unready);
    const views = store.slice('workspace').views.filter(({ id }) => ids.includes(id));
    if (views.length === 0) return this.#refuse('not-found', message('view.noneThere'));
    const day = new Date(serverNow()).toISOString().slice(0, 10);
    return ok(downloads.put(`field-console-${day}.views.json`, writeViewsFile(views)));
  }

  /** Imports a file of views: all that can be read or, when there is no room, none. */
  importViews(text: string): Result<ImportedViews> {
    const unready = this.#unready();
    if (unready) return failed(unready);
    const file = readViewsFile(text);
    if (file === null) {
      return this.#refuse('file-refused', message('view.noFile'));
    }
    const before = this.#account.store.slice('workspace').views;
    const after = file.views.reduce((views, view) => this.#withView(views, view), before);
    if (after.length > mostViews) {
      const sentence = message('view.noRoom', { most: mostViews, n: after.length });
      return this.#refuse('conflict', sentence, message('view.removeSome'));
    }
    if (file.views.length > 0) this.#setViews(after);
    const added = after.length - before.length;
    return ok({ added, replaced: file.views.length - added, unreadable: file.unreadable });
  }

  removeView(id: string): Result<null> {
    return this.#changeView(id, (views, at) => views.toSpliced(at, 1));
  }

  /** `to` is the position in the list, 0 for the first; beyond the end it means the end. */
  moveView(id: string, to: number): Result<null> {
    return this.#changeView(id, (views, at) => {
      const rest = views.toSpliced(at, 1);
      return rest.toSpliced(Math.min(to, rest.length), 0, ...views.slice(at, at + 1));
    });
  }

  setStation(position: Position | null): Result<null> {
    const unready = this.#unready();
    if (unready) return failed(unready);
    this.#account.store.patch('workspace', { station: position });
    this.#document.note();
    return ok(null);
  }

  /** Shows the incident of a link, if it is known. */
  openIncident(incidentId: string): Result<null> {
    const { store } = this.#account;
    const unready = this.#unready();
    if (unready) return failed(unready);
    if (!store.incidents.has(incidentId)) return this.#refuse('not-found', message('link.noIncident'));
    const { linked } = store.slice('workspace');
    store.patch('workspace', { linked: { incidentId, times: (linked?.times ?? 0) + 1 } });
    return ok(null);
  }

  #watchQuery(): void {
    const { scope, store } = this.#account;
    let { query: seen } = store.slice('incidents');
    const stop = store.watch('incidents', ({ query }) => {
      if (query === seen) return;
      const another = !sameValue(query, seen);
      seen = query;
      if (another) this.#document.note();
    });
    scope.onEnd(stop);
  }

  #changeView(id: string, change: (views: readonly SavedView[], at: number) => SavedView[]): Result<null> {
    const unready = this.#unready();
    if (unready) return failed(unready);
    const { views } = this.#account.store.slice('workspace');
    const at = views.findIndex((view) => view.id === id);
    if (at < 0) return this.#refuse('not-found', message('view.gone'));
    this.#setViews(change(views, at));
    return ok(null);
  }

  /** `views` with this one. A view with the same name keeps its id and its position. */
  #withView(views: SavedView[], view: SharedView): SavedView[] {
    const known = views.find(({ name }) => name === view.name);
    if (known) return views.map((kept) => (kept === known ? { id: known.id, ...view } : kept));
    const id = Buffer.from(this.#account.random.bytes(16)).toString('hex');
    return [...views, { id, ...view }];
  }

  #setViews(views: SavedView[]): void {
    this.#account.store.patch('workspace', { views });
    this.#document.note();
  }

  #text(): string {
    const { store } = this.#account;
    const { layout, views, station } = store.slice('workspace');
    return writeWorkspace({ layout, views, station, query: store.slice('incidents').query });
  }

  /** Before the stored layout is loaded, a page would overwrite it with its initial one. */
  #unready(): Failure | null {
    if (this.#isLoaded) return null;
    return this.#account.fail({ code: 'conflict', sentence: message('view.stillRead') });
  }

  #refuse(code: FailureCode, sentence: Message, remedy: Message | null = null): Result<never> {
    return this.#account.refuse({ code, sentence, remedy });
  }
}

/** The packages that are shown now, for a view; null where there are no packages. */
const shownPackages = (packages: readonly MapPackage[]): SavedView['packages'] =>
  packages.length === 0
    ? null
    : packages
        .filter(({ visible }) => visible)
        .slice(0, mostPackages)
        .map(({ id, name }) => ({ id, name: name.slice(0, longestName) }));
