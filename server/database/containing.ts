/** The pattern of `like` that finds a part of a text: its own signs are only signs. */
export const containing = (part: string): string => `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`
