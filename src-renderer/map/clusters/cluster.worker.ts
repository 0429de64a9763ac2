/// <reference lib="webworker" />
import { countTextOf, type CountText } from './countText.ts';
import { ClusterIndex } from './index.ts';
import type { ClusterReply, ClusterRequest } from './messages.ts';

/** Clusters away from the page's thread: a hundred thousand incidents must not stop a drag. */
const scope = self as unknown as DedicatedWorkerGlobalScope;

function serve(): void {
  let index: ClusterIndex | null = null;
  let said: { readonly language: string; readonly count: CountText } | null = null;
  const countIn = (language: string): CountText => {
    // Making one takes longer than a tile does.
    if (said?.language !== language) said = { language, count: countTextOf(language) };
    return said.count;
  };
  const reply = (message: ClusterReply, transfer: Transferable[] = []): void => {
    scope.postMessage(message, transfer);
  };
  scope.addEventListener('message', ({ data }: MessageEvent<ClusterRequest>) => {
    switch (data.kind) {
      case 'points':
        index = new ClusterIndex(data.points);
        reply({
          kind: 'indexed',
          version: data.version,
          count: index.length,
          bounds: index.bounds,
          worst: index.worst,
        });
        return;
      case 'tile': {
        const { zoom, x, y, language } = data;
        const bytes = index?.tile(zoom, x, y, countIn(language)).buffer ?? new ArrayBuffer(0);
        reply({ kind: 'tile', id: data.id, bytes }, [bytes]);
        return;
      }
      case 'marks': {
        reply({ kind: 'marks', id: data.id, marks: index?.marks(data.zoom) ?? null });
        return;
      }
      case 'members': {
        const members = index?.members(data.zoom, data.longitude, data.latitude) ?? null;
        reply({ kind: 'members', id: data.id, members });
        return;
      }
    }
  });
}

serve();
