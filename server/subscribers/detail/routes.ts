import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { on, type Route } from '../../http/routes.ts'
import type { SubscriberKey } from '../change.ts'
import { findSubscriber } from '../queries.ts'
import { countClicks, listClickedLinks } from './clicks.ts'
import * as contract from './contract.ts'
import { addNote, deleteNote, listNotes } from './notes.ts'
import { listTimeline } from './timeline.ts'

interface Named {
  publicationId: string | null
  number: number | null
  title: string | null
}
const nameOf = ({ publicationId, number, title }: Named) =>
  publicationId === null || title === null ? null : { id: publicationId, number, title }

/** What the page of one subscriber shows besides what `getSubscriber` answers. */
export function detailRoutes({ db, shownIds }: Context): Route[] {
  const find = async (newsletterId: string, shown: string): Promise<SubscriberKey> => {
    const subscriberId = shownIds.read(shown)
    if (!(await findSubscriber(db, newsletterId, subscriberId))) throw new AppError('subscriber_not_found')
    return { newsletterId, subscriberId }
  }
  return [
    on(contract.listTimeline, async ({ newsletterId, params, query: { cursor, limit } }) => {
      const key = await find(newsletterId, params.subscriberId)
      const { rows, next } = await listTimeline(db, key, { cursor, limit })
      return { rows: rows.map((row) => ({ ...row, at: row.at.toISOString(), publication: nameOf(row) })), next }
    }),

    on(contract.listClickedLinks, async ({ newsletterId, params }) => {
      const key = await find(newsletterId, params.subscriberId)
      const [links, counts] = await Promise.all([listClickedLinks(db, key), countClicks(db, key)])
      const shown = links.map((link) => ({ ...link, publication: nameOf(link), lastAt: link.lastAt.toISOString() }))
      return { links: shown, ...counts }
    }),

    on(contract.listNotes, async ({ newsletterId, params }) => {
      const notes = await listNotes(db, await find(newsletterId, params.subscriberId))
      return { notes: notes.map((note) => ({ ...note, at: note.at.toISOString() })) }
    }),

    on(contract.addNote, async ({ newsletterId, params, body: { text }, userId }) => {
      const key = { newsletterId, subscriberId: shownIds.read(params.subscriberId) }
      const note = await addNote(db, key, { text, userId })
      return { ...note, at: note.at.toISOString() }
    }),

    on(contract.deleteNote, async ({ newsletterId, params: { subscriberId, noteId } }) => {
      await deleteNote(db, { newsletterId, subscriberId: shownIds.read(subscriberId) }, noteId)
      return { done: true as const }
    }),
  ]
}
