import type { Context } from '../context.ts'
import { enqueue, type Job } from '../jobs/queue.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { confirmationState, confirmToken } from './confirm.ts'
import { renderConfirmation } from './confirmation.email.ts'
import { findSubscriber } from './queries.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    ask_confirmation: { newsletterId: string; subscriberId: string }
  }
}

/** Answers a request to subscribe by mail: asks to confirm, or says that the address is subscribed already. */
export function askConfirmationJob({ config, db, signer, now }: Context): Job<'ask_confirmation'> {
  return async ({ newsletterId, subscriberId }) => {
    const newsletter = await findNewsletter(db, newsletterId)
    const subscriber = await findSubscriber(db, newsletterId, subscriberId)
    // The newsletter was deleted, or the subscriber erased, after the request: nobody waits for this mail.
    if (!newsletter || !subscriber) return
    const state = confirmationState(subscriber, now())
    if (state === 'expired') return
    const { language } = subscriber
    const { publicUrl } = config
    const mail =
      state === 'open'
        ? renderConfirmation(config, {
            kind: 'confirm',
            newsletter,
            language,
            address: `${publicUrl}/confirm/${confirmToken(signer, subscriber)}`,
          })
        : renderConfirmation(config, {
            kind: 'already',
            newsletter,
            language,
            address: `${publicUrl}/n/${newsletter.handle ?? newsletter.id}`,
          })
    await enqueue(db, 'send_mail', { to: subscriber.email, newsletterId, ...mail })
  }
}
