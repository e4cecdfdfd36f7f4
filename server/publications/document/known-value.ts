/** `value` when it is one of `known`, else undefined. */
export const knownValue = <T extends string>(known: readonly T[], value: unknown): T | undefined =>
  known.find((each) => each === value)
