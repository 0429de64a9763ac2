export declare const seededName: (what: string) => string;
export declare const seededIds: readonly string[];
export declare const seededText: string;
