/** Who types `example.org/page` means the web. */
export const withScheme = (typed: string): string =>
  /^[a-z][a-z\d+.-]*:/i.test(typed.trim()) ? typed.trim() : `https://${typed.trim()}`

/** The same for what may be left empty. */
export const withSchemeOrNull = (typed: string): string | null => (typed.trim() === '' ? null : withScheme(typed))
