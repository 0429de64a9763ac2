import { trailMs, trailPoints } from '../../../../src-preload/contract/index.ts';

export interface TrailPoint {
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** The shortest time between two points: `trailPoints` of them span `trailMs`. */
const leastGapMs = trailMs / trailPoints;
/** Time, latitude, longitude, and the version of the point. */
const width = 4;
const firstPoints = 4;

/** A drone's recent positions, thinned out: a ring of numbers, since 5,000 trails of objects would take 100 MB. */
export class Trail {
  #points = new Float64Array(firstPoints * width);
  #first = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Leaves out a point that comes too soon after the last one, or has the same place. */
  add({ at, latitude, longitude }: TrailPoint, version: number): void {
    this.#drop(at - trailMs);
    const last = this.#length === 0 ? -1 : this.#placeOf(this.#length - 1);
    if (last >= 0) {
      const [lastAt = 0, lastLatitude, lastLongitude] = this.#points.subarray(last, last + width);
      if (at - lastAt < leastGapMs) return;
      if (lastLatitude === latitude && lastLongitude === longitude) return;
    }
    if (this.#length === trailPoints) this.#dropFirst();
    if (this.#length * width === this.#points.length) this.#grow();
    this.#points.set([at, latitude, longitude, version], this.#placeOf(this.#length));
    this.#length += 1;
  }

  /** The points that came after a version, the oldest first. */
  *since(version: number): Generator<TrailPoint> {
    for (let index = 0; index < this.#length; index += 1) {
      const place = this.#placeOf(index);
      const [at = 0, latitude = 0, longitude = 0, pointVersion = 0] = this.#points.subarray(
        place,
        place + width,
      );
      if (pointVersion > version) yield { at, latitude, longitude };
    }
  }

  #drop(before: number): void {
    while (this.#length > 0 && (this.#points[this.#first * width] ?? 0) < before) this.#dropFirst();
  }

  #dropFirst(): void {
    this.#first = (this.#first + 1) % (this.#points.length / width);
    this.#length -= 1;
  }

  #placeOf(index: number): number {
    return (((this.#first + index) * width) % this.#points.length) | 0;
  }

  #grow(): void {
    const larger = new Float64Array(this.#points.length * 2);
    larger.set(this.#points.subarray(this.#first * width));
    larger.set(this.#points.subarray(0, this.#first * width), this.#points.length - this.#first * width);
    this.#points = larger;
    this.#first = 0;
  }
}
