import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useUi } from '../../../../src-renderer/base/stores/ui.ts';

beforeEach(() => {
  vi.useFakeTimers();
  setActivePinia(createPinia());
});
afterEach(() => {
  vi.useRealTimers();
});

it('orders the list after the task of the press that asked for it, and at once where a layout comes back', () => {
  const ui = useUi();
  ui.askSort('status', 'ascending');
  expect([ui.sortBy, ui.sortDirection]).toEqual(['severity', 'descending']);
  vi.advanceTimersByTime(0);
  expect([ui.sortBy, ui.sortDirection]).toEqual(['status', 'ascending']);
  ui.sort('evidence', 'descending');
  expect([ui.sortBy, ui.sortDirection]).toEqual(['evidence', 'descending']);
});
