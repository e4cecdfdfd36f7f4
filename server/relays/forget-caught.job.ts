import type { Signer } from '../http/signing.ts'
import { enqueueAt, type Job } from '../jobs/queue.ts'
import { SubscriberLinks } from '../subscribers/subscriber-links.ts'
import type { WithRelays } from './relays.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    /** Of people who were erased: a newsletter's subscribers, or with null the person of an account. */
    forget_caught_mail: { newsletterId: string | null; emails: string[]; subscriberIds: string[]; last: boolean }
  }
}

/** A mail that was being sent when its recipient was erased is caught by then. */
const AGAIN_MS = 60_000

/**
 * Says in a mail whom it is about: 32 hexadecimal digits, which lead nowhere. Nothing else in it may tell that it goes when they are erased, for
 * a subscriber can have another address by then.
 */
export const subscriberMark = (signer: Signer, subscriberId: string): string =>
  signer.mac('mail about', subscriberId).toString('hex', 0, 16)

/** Removes the caught mail of people who were erased, to whichever of their addresses it went: it names them, and its links are theirs. */
export function forgetCaughtMailJob({
  config,
  db,
  now,
  relays,
  signer,
}: Pick<WithRelays, 'config' | 'db' | 'now' | 'relays' | 'signer'>): Job<'forget_caught_mail'> {
  const links = new SubscriberLinks(config.secret, signer)
  return async ({ last, ...erased }) => {
    const { newsletterId, emails, subscriberIds } = erased
    const names = subscriberIds.flatMap((id) => [id, links.code(id), subscriberMark(signer, id)])
    await relays.outbox.forget({ newsletterId, emails, names })
    if (last) return
    const runAt = new Date(now().getTime() + AGAIN_MS)
    await enqueueAt(db, 'forget_caught_mail', { payload: { ...erased, last: true }, runAt, key: null })
  }
}
