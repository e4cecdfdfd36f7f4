import { on, type Route } from '../http/routes.ts'
import { MailPermissions } from '../newsletters/mail-permission.ts'
import { requireMayLeave } from '../newsletters/may-leave.ts'
import { requireFallbacks, sendableJob } from '../publications/pre-flight.ts'
import { findRenderable } from '../publications/queries.ts'
import type { WithRelays } from '../relays/relays.ts'
import * as contract from './contract.ts'
import { endWelcome } from './end.ts'
import { listWelcomes, setWelcomeOf } from './welcomes.ts'

export function welcomeRoutes(context: WithRelays): Route[] {
  const { db, threads } = context
  const mailPermissions = new MailPermissions(context)
  return [
    on(contract.listWelcomes, async ({ newsletterId }) => ({ welcomes: await listWelcomes(db, newsletterId) })),
    on(contract.setWelcome, async ({ newsletter, body, auditLine }) => {
      const publication = await findRenderable(db, newsletter.id, body.publicationId)
      if (!body.paused) {
        await mailPermissions.require(newsletter.id)
        await requireMayLeave(context, newsletter)
        // Nobody is there to receive it yet, and that stands in the way of nothing.
        const facts = { publication, newsletter, receive: 1, channel: 'everywhere' as const }
        requireFallbacks(await threads.run(sendableJob, facts, publication.content.length))
      }
      const of = (welcome: contract.Welcome) => (welcome.segment?.id ?? null) === body.segmentId
      const before = (await listWelcomes(db, newsletter.id)).find(of)
      const welcome = await setWelcomeOf(db, newsletter.id, body)
      if (welcome.segment) auditLine?.note({ segment: welcome.segment.name })
      const change = before && changeOf(before, welcome)
      if (change) auditLine?.note({ change })
      return welcome
    }),
    on(contract.removeWelcome, async ({ newsletterId, params: { welcomeId }, auditLine }) => {
      auditLine?.note(await endWelcome(db, { newsletterId, welcomeId }))
      return { done: true as const }
    }),
  ]
}

/** Null where another publication was chosen. */
function changeOf(before: contract.Welcome, after: contract.Welcome): contract.WelcomeChange | null {
  if (before.publication.id !== after.publication.id) return null
  if (before.paused === after.paused) return 'changed'
  return after.paused ? 'held' : 'let_go_on'
}
