/**
 * The one of these codes that a value is. What was stored by an older or a newer server may be none of them, and has a general sentence,
 * since nobody reads codes.
 */
export const knownCode = <Code extends string>(codes: readonly Code[], value: unknown): Code | undefined =>
  codes.find((code) => code === value)
