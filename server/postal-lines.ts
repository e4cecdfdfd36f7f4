/** The lines of a postal address as its owner typed them, without empty ones. */
export const postalLines = (address: string): string[] =>
  address
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** A postal address where there is room for one line only. A comma that already ends a line is not doubled. */
export const postalLine = (address: string): string =>
  postalLines(address)
    .map((line) => line.replace(/\s*,$/, ''))
    .join(', ')
