export declare const consoleNodeOptions: readonly string[];
