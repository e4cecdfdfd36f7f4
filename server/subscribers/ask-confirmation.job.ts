import type { Context } from '../context.ts'
import { enqueue, type Job } from '../jobs/queue.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { confirmationState, confirmToken } from './confirm.ts'
import { renderConfirmation, renderReminder } from './confirmation.email.ts'
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
    // Erased, left or deleted since it was asked: then nobody waits for this mail any more.
    if (!newsletter || !subscriber) return
    const state = confirmationState(subscriber, now())
    if (state === 'expired') return
    const language = subscriber.language
    const mail =
      state === 'open'
        ? renderConfirmation(
            config,
            newsletter,
            language,
            `${config.publicUrl}/confirm/${confirmToken(signer, subscriber)}`,
          )
        : renderReminder(config, newsletter, language, `${config.publicUrl}/n/${newsletter.handle ?? newsletter.id}`)
    await enqueue(db, 'send_mail', { to: subscriber.email, newsletterId, ...mail })
  }
}
