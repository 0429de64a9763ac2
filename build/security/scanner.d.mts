interface TextFile {
  readonly name: string;
  readonly text: string;
}
export interface Finding {
  readonly id: string;
  readonly file: string;
  readonly line: number;
}
export declare const checksNotRun: readonly string[];
export declare function asReadable(file: TextFile): TextFile[];
export declare function scan(
  files: readonly TextFile[],
  electronVersion: string,
): Promise<{ given: number; read: number; errors: string[]; findings: Finding[] }>;
