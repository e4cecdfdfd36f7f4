/** Joins names as the language does: “SPF, DKIM and DMARC”. */
export const readableList = (locale: string, names: string[]): string =>
  new Intl.ListFormat(locale, { type: 'conjunction' }).format(names)
