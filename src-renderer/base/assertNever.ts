/**
 * Ends a chain of `v-else-if` over the members of a union, as `<template v-else>{{ assertNever(state) }}</template>`: a
 * member that the chain leaves out fails the type check, and is shown as it came where types are not checked.
 */
export const assertNever = (member: never): string => JSON.stringify(member);
