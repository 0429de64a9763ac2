/** Of each file in build/assets that the console carries: where it comes from, its size in bytes and its hash. */
export declare function assetManifest(): Promise<
  readonly {
    readonly path: string;
    readonly script: string;
    readonly source: string;
    readonly bytes: number;
    readonly sha256: string;
  }[]
>;
