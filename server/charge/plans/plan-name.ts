import { type RawBuilder, sql } from 'kysely'

/** SQL for the name of a plan in a language, else in one that it has. @param plan the alias of its table */
export const planName = (plan: string, language: RawBuilder<unknown>): RawBuilder<string> =>
  sql`coalesce(${sql.ref(`${plan}.words`)} -> ${language} ->> 'name', jsonb_path_query_first(${sql.ref(`${plan}.words`)}, '$.*.name') #>> '{}')`
