export * from './bridge.ts';
export * from './channels.ts';
export * from './columns.ts';
export * from './failure.ts';
export * from './pushes.ts';
export * from './state.ts';
export * from './verbs.ts';
export * from './wire.ts';
