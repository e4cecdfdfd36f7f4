import type { Kysely } from 'kysely'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'
import { alreadyDone } from '../publications/publication-status.ts'
import { findPublication, type PublicationRow } from '../publications/queries.ts'
import { wrongStatus } from '../publications/save.ts'
import type { Translate } from '../translator.ts'
import type { PublicationKey } from './sending.ts'
import { cancelSendings, pauseSendings, resumeSendings } from './state.ts'

const acts = {
  pause: pauseSendings,
  resume: resumeSendings,
  trust: (tx, publication) => resumeSendings(tx, publication, true),
  cancel: cancelSendings,
} satisfies Record<string, (tx: Db, publication: PublicationKey) => Promise<boolean>>

/**
 * Pauses, resumes or cancels what a publication has on its way. Doing it again changes nothing.
 *
 * @throws AppError publication_not_found, wrong_status
 */
export function changeSending(
  db: Kysely<DB>,
  publication: PublicationKey,
  { act, t }: { act: keyof typeof acts; t: Translate },
): Promise<PublicationRow> {
  return db.transaction().execute(async (tx) => {
    const changed = await acts[act](tx, publication)
    const row = await findPublication(tx, publication.newsletterId, publication.publicationId)
    if (!changed && !alreadyDone(act, row.status)) throw wrongStatus(row, t)
    return row
  })
}
