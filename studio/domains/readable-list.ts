/** “SPF, DKIM and DMARC”, as the language joins them. */
export const readableList = (locale: string, names: string[]): string =>
  new Intl.ListFormat(locale, { type: 'conjunction' }).format(names)
