/** The first letter or digit of a newsletter's name, after its article. */
export const initialOf = (name: string): string =>
  (/[\p{L}\p{N}]/u.exec(name.replace(/^((the|le|la|les)\s+|l[’'])/i, ''))?.[0] ?? 'T').toLocaleUpperCase()
