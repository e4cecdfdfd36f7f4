import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SendingAct, sendingActs } from '../sending/transitions.ts'
import { startTestNewsletter } from '../testing/newsletter.ts'
import {
  type Act,
  alreadyDone,
  type PublicationAct,
  publicationActs,
  type Status,
  statuses,
} from './publication-status.ts'

type State = 'draft' | 'scheduled' | 'published'

const after = (act: PublicationAct, state: State): State | null =>
  publicationActs[act].from.some((from) => from === state) ? publicationActs[act].to : null

test.each([
  ['draft', 'publish', 'published'],
  ['draft', 'schedule', 'scheduled'],
  ['scheduled', 'schedule', 'scheduled'],
  ['scheduled', 'unschedule', 'draft'],
  ['scheduled', 'publish', 'published'],
  ['published', 'publish', null],
  ['published', 'unschedule', null],
  ['published', 'schedule', null],
  ['draft', 'unschedule', null],
] as const)('%s, %s: %s', (state, act, target) => {
  expect(after(act, state)).toBe(target)
})

test('what was once published is never a draft again, whatever happens and in whatever order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom<PublicationAct>('schedule', 'unschedule', 'publish'), { maxLength: 30 }),
      (acts) => {
        let state: State = 'draft'
        let out = false
        for (const act of acts) {
          state = after(act, state) ?? state
          out ||= state === 'published'
          if (out) expect(state).toBe('published')
        }
      },
    ),
  )
})

test('an act on a sending that was done is not possible again from where it led', () => {
  const led: [Act & SendingAct, Status][] = [
    ['pause', 'paused'],
    ['resume', 'sending'],
    ['cancel', 'cancelled'],
  ]
  for (const [act, status] of led) {
    expect(alreadyDone(act, status)).toBe(true)
    expect(sendingActs[act].from).not.toContain(sendingActs[act].to)
  }
})

test('every status in which an act is done is one that a publication can have', () => {
  for (const act of ['unschedule', 'send', 'publish', 'pause', 'resume', 'cancel'] as const)
    expect(statuses.some((status) => alreadyDone(act, status))).toBe(true)
})

let server: Awaited<ReturnType<typeof startTestNewsletter>>
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server.stop())

test.each<[string, Date | null, Date | null, string[], Status]>([
  ['nothing', null, null, [], 'draft'],
  ['a time', new Date(), null, ['planned'], 'scheduled'],
  ['a time for the web alone', new Date(), null, [], 'scheduled'],
  ['the web alone', null, new Date(), [], 'sent'],
  ['a sending', null, new Date(), ['sending'], 'sending'],
  ['a paused sending', null, new Date(), ['paused'], 'paused'],
  ['a sending that is over', new Date(), new Date(), ['sent'], 'sent'],
  ['a cancelled sending', null, new Date(), ['cancelled'], 'cancelled'],
  ['a second sending that goes on', null, new Date(), ['sent', 'sending'], 'sending'],
  ['a second sending that waits beside one that goes on', null, new Date(), ['sending', 'paused'], 'sending'],
  ['a second sending that is planned', null, new Date(), ['sent', 'planned'], 'sent'],
  ['a cancelled sending, and another that is over', null, new Date(), ['cancelled', 'sent'], 'sent'],
])(
  'a publication with %s is told to its owner by one status',
  async (...[, scheduled, published, sendings, status]) => {
    const { context, newsletterId, owner, path } = server
    const { id } = await server.draft()
    await context.db
      .updateTable('publication')
      .set({ scheduled_at: scheduled, published_at: published })
      .where('id', '=', id)
      .execute()
    for (const [index, state] of sendings.entries())
      await context.db
        .insertInto('sending')
        .values({
          newsletter_id: newsletterId,
          id: `${id}${index}`,
          publication_id: id,
          audience: '{}',
          state: state as 'sent',
        })
        .execute()
    expect((await owner.call('GET', `${path}/publications/${id}`)).json().status).toBe(status)
    const listed = await owner.call('GET', `${path}/publications?status=${status}&limit=100`)
    expect(listed.json().rows.map((row: { id: string }) => row.id)).toContain(id)
  },
)
