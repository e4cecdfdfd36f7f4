import { type RawBuilder, sql } from 'kysely'

/** What the proof of a receipt begins with that an import wrote. */
export const proofOf = (importId: string): string => `import ${importId},`

/** The detail of a suppression that an import made. */
export const suppressedBy = (importId: string): string => `import ${importId}`

/** Whether an import made a suppression with this detail. No server has answered anything then. */
export const isSuppressedByImport = (detail: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(${detail} ~ '^import [[:alnum:]_-]+$')`

/** Whether the row `i` of `import` wrote the receipt `c`. */
export const isOfImport = sql<boolean>`c.means = 'import' and i.id = substring(c.proof from '^import ([^,]+),')`

/** What the proof ends with where the file has a day for it, which is seldom that of the import. */
export const endOfProof = (time: RawBuilder<unknown>): RawBuilder<string> =>
  sql`coalesce(${', dated '}::text || to_char(${time} at time zone 'utc', 'YYYY-MM-DD'), '')`

/** The day that the file has for what a receipt is about, as `YYYY-MM-DD`; null where it has none, or no import wrote the receipt. */
export const dayInFile = ({ means, proof }: { means: string; proof: string | null }): string | null =>
  (means === 'import' && /, dated (\d{4}-\d{2}-\d{2})$/.exec(proof ?? '')?.[1]) || null
