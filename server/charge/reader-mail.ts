import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import { findDeletedNewsletter, findNewsletter } from '../newsletters/membership.ts'
import { renderLinkMail } from '../subscribers/link.email.ts'
import { findSubscriber, findSuppression } from '../subscribers/queries.ts'
import { ownPageAddress, SubscriberLinks } from '../subscribers/subscriber-links.ts'
import { type Translate, translator } from '../translator.ts'
import { PlanWords } from './plans/contract.ts'
import { wordsIn } from './plans/offers.ts'

type Mailing = Pick<Context, 'config' | 'signer'>

/** Whom a mail about a subscription goes to. */
export interface MailReader {
  newsletter: NewsletterRow
  subscriberId: string
  email: string
  language: Language
  /** What the plan is called in their language. */
  plan: string
  /** Of their own page, where they change their card and cancel. */
  address: string
}

/**
 * The subscriber who is told something about a subscription; null when no mail may go to them: they were erased, their mail bounced, or they
 * marked it as spam. Whether they want the newsletter's mail does not matter, for this is about what they pay.
 */
export async function findMailReader(
  db: Db,
  { config, signer }: Mailing,
  { newsletterId, subscriberId, planId }: { newsletterId: string; subscriberId: string | null; planId: number },
): Promise<MailReader | null> {
  const newsletter = (await findNewsletter(db, newsletterId)) ?? (await findDeletedNewsletter(db, newsletterId))
  const subscriber = newsletter && subscriberId && (await findSubscriber(db, newsletterId, subscriberId))
  if (!newsletter || !subscriber) return null
  if (await findSuppression(db, newsletterId, subscriber.email_normalised)) return null
  const { words } = await db
    .selectFrom('plan')
    .select('words')
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', planId)
    .executeTakeFirstOrThrow()
  const { email, language, id } = subscriber
  const links = new SubscriberLinks(config.secret, signer)
  const address = ownPageAddress(config, links.standing({ newsletterId, subscriberId: id }))
  return {
    newsletter,
    subscriberId: id,
    email,
    language,
    plan: wordsIn(PlanWords.parse(words), language).name,
    address,
  }
}

type Part = Parameters<Parameters<typeof renderLinkMail>[1]['words']>[0]

/** A mail about a subscription, with the way to the reader's own page. It is what the job `send_mail` takes. */
export function renderReaderMail(
  { config }: Pick<Mailing, 'config'>,
  { newsletter, subscriberId, email, language, plan, address }: MailReader,
  words: (t: Translate, part: Part, named: { newsletter: string; plan: string }) => string,
) {
  const t = translator(language)
  const named = { newsletter: newsletter.name, plan }
  const mail = renderLinkMail(config, { newsletter, language, address, words: (part) => words(t, part, named) })
  return { to: email, newsletterId: newsletter.id, subscriberId, ...mail }
}
