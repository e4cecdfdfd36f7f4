import type { Context } from '../../context.ts'
import { replaceJob } from '../../jobs/payloads.ts'
import type { Job } from '../../jobs/queue.ts'
import type { Language } from '../../languages.ts'
import { findNewsletter } from '../../newsletters/membership.ts'
import { readAddress } from '../../subscribers/address.ts'
import { renderLinkMail } from '../../subscribers/link.email.ts'
import { findByAddress, findSuppression } from '../../subscribers/queries.ts'
import { translator } from '../../translator.ts'
import { wordsIn } from '../plans/offers.ts'
import { giftLinks } from './links.ts'
import { findGift } from './redeem.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    /** Who has a code and typed an address, theirs or not. */
    mail_gift: { newsletterId: string; giftId: string; email: string; language: Language }
  }
}

/**
 * Mails the link with which a gift is taken. It is the same for every address, known or not. Whose mail bounced, and who marked it as spam, is not
 * written to because somebody typed their address.
 */
export function mailGiftJob({ db, config, sealer, now }: Context): Job<'mail_gift'> {
  const links = giftLinks(sealer)
  return async ({ newsletterId, giftId, email, language }, helpers) => {
    const newsletter = await findNewsletter(db, newsletterId)
    const gift = newsletter && (await findGift(db, { newsletterId, giftId }, now()))
    const address = readAddress(email)
    if (!newsletter || !gift?.open || !address) return
    if (await findSuppression(db, newsletterId, address.normalised)) return
    const t = translator(language)
    const { name: plan } = wordsIn(gift.words, language)
    const mail = renderLinkMail(config, {
      newsletter,
      language,
      address: `${config.publicUrl}/gift/${links.make({ newsletterId, giftId, email: address.typed, language }, now())}`,
      words: (part) => t(`gifts.mail.${part}`, { newsletter: newsletter.name, plan, count: gift.months }),
    })
    const known = await findByAddress(db, newsletterId, address.normalised)
    const payload = { to: address.typed, newsletterId, ...(known && { subscriberId: known.id }), ...mail }
    await replaceJob(db, helpers, { name: 'send_mail', payload })
  }
}
