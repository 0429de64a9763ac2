import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const renderer = join(import.meta.dirname, '../../src-renderer');

/**
 * What makes a part of a template a surface, which has to be in the gallery: a landmark or section of the page,
 * or something that opens over it.
 */
export const kinds =
  'main|section|aside|nav|footer|PageNote|PanelFrame|DrawerFrame|ModalDialog|ConfirmDialog|DialogContent|PopoverMenu|PopoverContent|DropdownMenuContent|ContextMenuContent';

/** Parts of a library's component that open over nothing, or hold no more than a name. */
const noSurfaces = ['ListboxContent', 'TooltipContent'];

/** The frames that surfaces are made with; they have no content but what is put into them. */
const frames = ['ModalDialog', 'ConfirmDialog', 'PageNote', 'PanelFrame', 'DrawerFrame', 'PopoverMenu'];

export interface Surface {
  /** The component's name, with a number from its second surface on: "ViewsMenu", "ViewsMenu 2". */
  readonly name: string;
  /** A selector that only this surface fits: its classes and ids that stand in no other template. */
  readonly selector: string;
}

const readTemplates = () =>
  globSync('{app,base,features,ui}/**/*.vue', { cwd: renderer })
    .sort()
    .map((path) => {
      const text = readFileSync(join(renderer, path), 'utf8');
      const template = text.slice(text.indexOf('<template>'), text.lastIndexOf('</template>'));
      return { path, component: basename(path, '.vue'), template, marks: [...marksOf(template)] };
    });

/**
 * What `kinds` must have beside the elements: the parts of the dialog and menu libraries that open, and the components
 * of `ui` that make a surface of what is put into them.
 */
export function kindsInUse(): ReadonlySet<string> {
  const templates = readTemplates();
  const parts = templates.flatMap(({ template }) =>
    Array.from(template.matchAll(/<([A-Z]\w*Content)\b/g), ([, name = '']) => name),
  );
  // An element whose tag is a setting is a landmark in some of its uses.
  const makesSurface = new RegExp(`<(${kinds}|component :is="as")[^]*<slot\\b`);
  const made = templates.filter(
    ({ path, template }) => path.startsWith('ui/') && makesSurface.test(template),
  );
  return new Set([
    ...parts.filter((name) => !noSurfaces.includes(name)),
    ...made.map(({ component }) => component),
  ]);
}

/** Every surface of the page's components, read from their templates. */
export function surfaces(): readonly Surface[] {
  const templates = readTemplates();
  return templates.flatMap(({ component, template, marks }) => {
    if (frames.includes(component)) return [];
    const foreign = new Set(
      templates
        .filter((one) => one.component !== component)
        .flatMap((one) => one.marks.map(({ mark }) => mark)),
    );
    const opened = [...template.matchAll(new RegExp(`<(${kinds})\\b|role="dialog"`, 'g'))];
    return opened.map(({ index, 1: tag = '' }, at) => {
      const end = tag === '' ? template.length : endOf(template, index, tag);
      // A menu's button is there before the menu is.
      const trigger = template.indexOf('<template #trigger>', index);
      const triggerEnd = trigger < 0 ? -1 : template.indexOf('</template>', trigger);
      const within = (place: number): boolean =>
        place >= index && place < end && !(place > trigger && place < triggerEnd);
      const own = marks.filter(
        ({ mark, place }) =>
          within(place) &&
          !foreign.has(mark) &&
          marks.every((other) => other.mark !== mark || within(other.place)),
      );
      return {
        name: at === 0 ? component : `${component} ${String(at + 1)}`,
        selector: [...new Set(own.map(({ mark }) => mark))].join(','),
      };
    });
  });
}

/** Where an element of a template ends that begins at `from`; one without content ends with its tag. */
function endOf(template: string, from: number, tag: string): number {
  const opening = /<(?:[^>"]|"[^"]*")*>/y;
  opening.lastIndex = from;
  const [text = ''] = opening.exec(template) ?? [];
  return text.endsWith('/>') ? from + text.length : template.indexOf(`</${tag}>`, from);
}

/** The static classes and ids of a template, each as a selector, and where it stands. */
function* marksOf(template: string): Generator<{ readonly mark: string; readonly place: number }> {
  for (const { index, 1: kind, 2: values = '' } of template.matchAll(/(?<![:\w-])(class|id)="([\w\s-]*)"/g))
    for (const value of values.split(/\s+/).filter((one) => one !== ''))
      yield { mark: `${kind === 'id' ? '#' : '.'}${value}`, place: index };
}
