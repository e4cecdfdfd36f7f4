/** “SPF, DKIM and DMARC”, as the language joins them. */
export const readableList = (language: string, names: string[]): string =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(names)
