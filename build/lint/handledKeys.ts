/**
 * A rule of ESLint: the keys that a file acts on are those that its option lists, all of them and no other; a file
 * without a list acts on none. That the lists are what the operator is shown is a test's
 * (test/renderer/base/shortcuts.test.ts).
 */

import type { Rule } from 'eslint';
import { asCode, visitComponent, type Code, type CodeVisitor, type TemplateVisitor } from './template.ts';

/** Which file acts on which keys, by the group under which the operator finds them. */
export const handledKeys: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  page: {
    'app/Workspace.vue': ['Escape'],
    'ui/DrawerFrame.vue': ['Escape'],
    'features/views/SavedViewRow.vue': ['Escape'],
  },
  search: {
    'features/incidents/search/SearchBox.vue': ['Escape', 'ArrowDown', 'ArrowUp', 'Enter'],
  },
  incidents: {
    'features/incidents/scroll/listHands.ts': [
      'ArrowDown',
      'ArrowUp',
      'Home',
      'End',
      'PageDown',
      'PageUp',
      'Enter',
      ' ',
      'Escape',
      'ArrowLeft',
      'ArrowRight',
    ],
    'features/incidents/IncidentRows.vue': [],
  },
  columns: {
    'features/incidents/GridHeader.vue': [
      'ArrowRight',
      'ArrowLeft',
      'Home',
      'End',
      'ArrowDown',
      'Enter',
      ' ',
    ],
    'features/incidents/ColumnsMenu.vue': ['ArrowUp', 'ArrowDown'],
  },
  columnEdge: {
    'features/incidents/ColumnEdge.vue': ['ArrowRight', 'ArrowLeft', 'Home', 'End', 'Enter'],
  },
  alarms: {
    'features/alarms/AlarmsPanel.vue': ['ArrowDown', 'ArrowUp', 'Delete', 'Backspace'],
  },
  place: {
    'features/map/GoToBox.vue': ['ArrowDown', 'ArrowUp', 'Enter', 'Escape'],
  },
  timeline: {
    'features/timeline/brush.ts': [
      'ArrowLeft',
      'ArrowDown',
      'ArrowRight',
      'ArrowUp',
      'PageDown',
      'PageUp',
      'Home',
      'End',
      'Escape',
    ],
    'features/timeline/TimeBrush.vue': [
      'Escape',
      'ArrowLeft',
      'ArrowDown',
      'ArrowRight',
      'ArrowUp',
      'Home',
      'End',
      ' ',
    ],
    'features/timeline/ReplayBar.vue': ['Escape'],
  },
  note: {
    'features/details/NoteEditor.vue': ['Enter', 'Escape'],
  },
  handover: {
    'features/notes/HandOverDialog.vue': ['Enter'],
  },
  tour: {
    'features/help/TourOverlay.vue': ['Escape', 'PageDown', 'PageUp'],
  },
  rows: {
    'base/PagedList.vue': [
      'Escape',
      'Enter',
      ' ',
      'ArrowDown',
      'ArrowUp',
      'PageDown',
      'PageUp',
      'Home',
      'End',
    ],
  },
  viewer: {
    'features/evidence/EvidenceViewer.vue': [
      'PageDown',
      'PageUp',
      'ArrowRight',
      'ArrowLeft',
      'ArrowDown',
      'ArrowUp',
    ],
  },
  outbox: {
    'features/uploads/UploadsPanel.vue': ['Delete', 'ArrowUp', 'ArrowDown', 'PageUp'],
  },
  missions: {
    'features/missions/MissionList.vue': ['ArrowDown', 'ArrowUp', 'Home', 'End', 'Enter'],
  },
  drones: {
    'features/drones/DroneList.vue': [
      'ArrowDown',
      'ArrowUp',
      'PageDown',
      'PageUp',
      'Home',
      'End',
      'Enter',
      ' ',
      'Escape',
    ],
  },
  hold: {
    'features/missions/HoldButton.vue': [' ', 'Enter'],
  },
  area: {
    'map/areaOverlay.ts': ['Enter', 'Escape', 'Backspace', ' '],
    'ui/DrawingBar.vue': ['Escape'],
  },
  resizer: {
    'app/PanelResizer.vue': ['ArrowRight', 'ArrowLeft'],
  },
  map: {
    'app/panes/MapWalk.vue': ['Enter', 'ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft'],
  },
};

/** Files that look at keys without acting on one for the operator. */
export const lookedAt = [
  // Keys of commands, which have another table.
  'app/commands/CommandKeys.vue',
  // Keys that a kiosk keeps from its browser.
  'features/kiosk/browserKeys.ts',
  // A gesture of any key lets a page sound.
  'features/alarms/sirenStore.ts',
  // Any key is a sign that a person is there.
  'features/kiosk/kioskStore.ts',
  // Any key on the map ends its automatic movement.
  'map/mapCamera.ts',
  // Keeps a held Enter from deciding again.
  'features/missions/DecisionBar.vue',
];

const isKey = (text: string) =>
  /^(?:Arrow\w+|Home|End|PageUp|PageDown|Enter|Escape|Backspace|Delete| )$/.test(text);
const asProperty = /^(?:Arrow(?:Up|Down|Left|Right)|Home|End|PageUp|PageDown)$/;
const modifiers: Readonly<Record<string, string>> = { esc: 'Escape', enter: 'Enter' };

export const listedKeys: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [{ type: 'array', items: { type: 'string' } }],
    messages: {
      acts: 'Who acts on keys stands in build/lint/handledKeys.ts.',
      other: '“{{key}}” is not among the keys listed for this file (build/lint/handledKeys.ts).',
      gone: 'This file no longer acts on “{{key}}” (build/lint/handledKeys.ts).',
    },
  },
  create(context) {
    const [listed] = context.options as [(readonly string[])?];
    const found = new Set<string>();
    const note = (node: Code, key: string) => {
      found.add(key);
      if (listed && !listed.includes(key)) context.report({ node, messageId: 'other', data: { key } });
    };
    const act = (node: Code) => {
      if (!listed) context.report({ node, messageId: 'acts' });
    };
    const code: CodeVisitor = {
      Literal(node) {
        if (typeof node.value !== 'string') return;
        if (isKey(node.value)) note(node, node.value);
        if (/^key(?:down|up)$/.test(node.value)) act(node);
      },
      Property({ key }) {
        if (key.type === 'Identifier' && asProperty.test(key.name)) note(key, key.name);
      },
      MemberExpression(node) {
        const { object, property } = node;
        if (object.type !== 'Identifier' || property.type !== 'Identifier') return;
        if (object.name === 'event' && property.name === 'key') act(node);
      },
      CallExpression(node) {
        if (node.callee.type === 'Identifier' && node.callee.name === 'onKeyStroke') act(node);
      },
    };
    const reportGone = (node: Code) => {
      for (const key of listed ?? [])
        if (!found.has(key)) context.report({ node, messageId: 'gone', data: { key } });
    };
    const template: TemplateVisitor = {
      ...code,
      VAttribute(node) {
        if (!node.directive || node.key.name.name !== 'on') return;
        if (!/^key(?:down|up)$/.test(node.key.argument?.name ?? '')) return;
        act(asCode(node));
        for (const { name } of node.key.modifiers) {
          const key = modifiers[name];
          if (key !== undefined) note(asCode(node), key);
        }
      },
    };
    return visitComponent(context, template, code, reportGone);
  },
};
