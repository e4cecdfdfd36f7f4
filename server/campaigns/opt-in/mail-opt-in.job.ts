import type { Context } from '../../context.ts'
import { replaceJob } from '../../jobs/payloads.ts'
import type { Job } from '../../jobs/queue.ts'
import type { Language } from '../../languages.ts'
import { findNewsletter } from '../../newsletters/membership.ts'
import { readAddress } from '../../subscribers/address.ts'
import { findCampaignYes } from '../../subscribers/campaign-consent.ts'
import { renderLinkMail } from '../../subscribers/link.email.ts'
import { findByAddress, findSubscriber, findSuppression } from '../../subscribers/queries.ts'
import { translator } from '../../translator.ts'
import { OptInCodes, optInAddress } from './address.ts'
import { findCampaign, findOptIn, findWords, stateOf } from './queries.ts'
import { noteRequest } from './requests.ts'
import { typedLinks } from './typed-links.ts'
import { partsRead, wordsIn } from './wording.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    /** Who typed an address on the page of a campaign, theirs or not. */
    mail_opt_in: {
      newsletterId: string
      campaignId: string
      email: string
      language: Language
      shortLinkId: string
    }
    /** Who said yes. */
    mail_opt_in_receipt: { newsletterId: string; campaignId: string; optInId: string }
  }
}

/**
 * Mails the link with which a typed address says yes. It is the same for every address, known or not. Whose mail bounced, and who marked it
 * as spam, is not written to because somebody typed their address; nor is whoever said yes already.
 */
export function mailOptInJob({ db, config, signer, sealer, now }: Context): Job<'mail_opt_in'> {
  const links = typedLinks(sealer)
  return async ({ newsletterId, campaignId, email, language, shortLinkId }, helpers) => {
    const newsletter = await findNewsletter(db, newsletterId)
    const campaign = newsletter && (await findCampaign(db, newsletterId, campaignId))
    const address = readAddress(email)
    if (!newsletter || !campaign || !address || stateOf(campaign, now()) !== 'running') return
    const { normalised } = address
    if (await findSuppression(db, newsletterId, normalised)) return
    const known = await findByAddress(db, newsletterId, normalised)
    const optIn = known && (await findOptIn(db, { newsletterId, campaignId, subscriberId: known.id }))
    if (optIn && !optIn.undoneAt) return
    const shown = wordsIn(campaign, language, newsletter.language)
    if (!shown) return
    // Whoever took a yes back counts by it already.
    if (!optIn) await noteRequest(db, signer, { newsletterId, campaignId, normalised, shortLinkId, at: now() })
    const token = links.make({ newsletterId, campaignId, email: address.typed, language, shortLinkId }, now())
    const t = translator(language)
    const mail = renderLinkMail(config, {
      newsletter,
      language,
      address: `${optInAddress(config, campaignId)}/confirm/${token}`,
      words: (part) => t(`optIn.mail.ask.${part}`, { newsletter: newsletter.name, question: shown.words.question }),
    })
    const payload = { to: address.typed, newsletterId, ...(known && { subscriberId: known.id }), ...mail }
    await replaceJob(db, helpers, { name: 'send_mail', payload })
  }
}

/** Mails what somebody said yes to, word for word, with the link that takes it back: whoever did not say it learns of it so. */
export function mailOptInReceiptJob(context: Context): Job<'mail_opt_in_receipt'> {
  const { db, config } = context
  const codes = new OptInCodes(context)
  return async ({ newsletterId, campaignId, optInId }, helpers) => {
    const newsletter = await findNewsletter(db, newsletterId)
    const campaign = newsletter && (await findCampaign(db, newsletterId, campaignId))
    const optIn = await db
      .selectFrom('opt_in')
      .select(['subscriber_id', 'language', 'version', 'undone_at'])
      .where('newsletter_id', '=', newsletterId)
      .where('campaign_id', '=', campaignId)
      .where('id', '=', optInId)
      .executeTakeFirst()
    if (!newsletter || !campaign || !optIn?.subscriber_id || optIn.undone_at) return
    const subscriber = await findSubscriber(db, newsletterId, optIn.subscriber_id)
    const receipt = await findCampaignYes(db, { newsletterId, campaignId, subscriberId: optIn.subscriber_id })
    const said = await findWords(db, { newsletterId, campaignId, version: optIn.version })
    const shown = wordsIn({ words: said }, optIn.language)
    if (!subscriber || !receipt || !shown || (await findSuppression(db, newsletterId, subscriber.email_normalised)))
      return
    const { language, words } = shown
    const t = translator(language)
    const mail = renderLinkMail(config, {
      newsletter,
      language,
      address: `${optInAddress(config, campaignId)}?k=${codes.code(subscriber.id)}&said=receipt`,
      words: (part) => t(`optIn.mail.receipt.${part}`, { newsletter: newsletter.name, question: words.question }),
      more: partsRead(receipt.wording),
    })
    const payload = { to: subscriber.email, newsletterId, subscriberId: subscriber.id, ...mail }
    await replaceJob(db, helpers, { name: 'send_mail', payload })
  }
}
