const control = /[\p{Cc}\p{Bidi_Control}]/gu

/**
 * Between commas, semicolons or bars, each perhaps in quotes: `"Lorem, Ipsum","Dolor"` are two. In braces, as PostgreSQL writes a list.
 */
export function readTags(cell: string): string[] {
  const parts = cell.replace(/^\{(.*)\}$|^\[(.*)\]$/, '$1$2').match(/"(?:[^"]|"")*"|[^,;|]+/g) ?? []
  return parts.flatMap((part) => {
    const name = part
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"')
      .replaceAll(control, ' ')
      .trim()
      .toWellFormed()
    return name === '' ? [] : [name]
  })
}

/** As our own export joins them: by `;`, with a backslash before what is part of a name. */
export const ourTags = (cell: string): string[] =>
  (cell.match(/(?:\\.|[^;\\])+/gs) ?? []).map((name) => name.replaceAll(/\\(.)/gs, '$1'))
