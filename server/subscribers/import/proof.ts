import { sql } from 'kysely'

/** What the proof of a receipt begins with that an import wrote. */
export const proofOf = (importId: string): string => `import ${importId},`

/** Whether the row `i` of `import` wrote the receipt `c`. */
export const isOfImport = sql<boolean>`c.means = 'import' and i.id = substring(c.proof from '^import ([^,]+),')`
