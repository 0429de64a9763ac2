import { usualListWidth } from '../../../src-preload/contract/index.ts';
import { useCommands } from '../../base/stores/commands.ts';
import { useUi } from '../../base/stores/ui.ts';

/** Back to how the console comes: widths, the list's two lines a row, no groups, no timeline. What is shown stays. */
export function resetLayout(): void {
  const ui = useUi();
  ui.columns = null;
  ui.groupBy = 'none';
  ui.detailsWidth = null;
  ui.timeline = false;
  void useCommands().setPreferences({ listWidth: usualListWidth });
}
