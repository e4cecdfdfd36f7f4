import { AppError } from '../errors.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { requireSenders, type SenderContext } from './sender-proof.ts'

type Leaving = Pick<NewsletterRow, 'id' | 'sender_address' | 'reply_to' | 'postal_address'>

/**
 * What mail to readers needs: proven senders, and the postal address that the law asks for. Mail that is caught needs neither, because it
 * reaches nobody (`docs/decisions/postal-address.md`).
 * @throws AppError sender_unproven, no_postal_address
 */
export async function requireMayLeave(context: SenderContext, newsletter: Leaving): Promise<void> {
  if (await context.relays.caught(newsletter.id)) return
  await requireSenders(context, newsletter)
  if (!newsletter.postal_address.trim()) throw new AppError('no_postal_address')
}
