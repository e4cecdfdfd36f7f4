import { endJob } from '../../jobs/payloads.ts'
import type { Job } from '../../jobs/queue.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { BookingChanges } from '../tell.ts'

/** Mails the sponsor and the owners what became of a payment by card. The mails take the place of the job, so each is sent once. */
export function tellOfPaymentJob(context: WithRelays): Job<'tell_of_payment'> {
  const changes = new BookingChanges(context)
  return ({ newsletterId, bookingId, about }, helpers) =>
    context.db.transaction().execute(async (tx) => {
      if (!(await endJob(tx, helpers))) return
      const key = { newsletterId, bookingId }
      if (about === 'paid') await changes.tellSponsor(tx, key, { act: 'pay' })
      if (about === 'owed') await changes.tellSponsor(tx, key, { act: 'owed' })
      if (about === 'given_back') await changes.tellSponsor(tx, key, { act: 'refund' })
      else await changes.tellOwners(tx, key, about)
    })
}
