import type { LevelMarks, MarkMembers } from './index.ts';
import type { Bounds, PointColumns } from './points.ts';

/** What the page asks of the cluster worker. */
export type ClusterRequest =
  | { readonly kind: 'points'; readonly version: number; readonly points: PointColumns }
  | {
      readonly kind: 'tile';
      readonly id: number;
      readonly zoom: number;
      readonly x: number;
      readonly y: number;
      /** A BCP 47 tag: counts are said in it. */
      readonly language: string;
    }
  | { readonly kind: 'marks'; readonly id: number; readonly zoom: number }
  | {
      readonly kind: 'members';
      readonly id: number;
      readonly zoom: number;
      readonly longitude: number;
      readonly latitude: number;
    };

/** What it answers: every request once, in order. */
export type ClusterReply =
  | {
      readonly kind: 'indexed';
      readonly version: number;
      readonly count: number;
      readonly bounds: Bounds | null;
      readonly worst: Bounds | null;
    }
  | { readonly kind: 'tile'; readonly id: number; readonly bytes: ArrayBuffer }
  | { readonly kind: 'marks'; readonly id: number; readonly marks: LevelMarks | null }
  | { readonly kind: 'members'; readonly id: number; readonly members: MarkMembers | null };
