import { SharedLimit } from '../../http/limits.ts'
import { mailedAddress, studioPaths } from '../../http/studio-paths.ts'
import { endJob } from '../../jobs/payloads.ts'
import { enqueue, type Job } from '../../jobs/queue.ts'
import { MailPermissions } from '../../newsletters/mail-permission.ts'
import { membersToMail } from '../../newsletters/members-to-mail.ts'
import { findNewsletter } from '../../newsletters/membership.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { renderLinkMail } from '../../subscribers/link.email.ts'
import { translator } from '../../translator.ts'
import { findCampaign, waitsForAnswer } from './queries.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    /** A campaign that another newsletter has to answer. */
    tell_of_offer: { newsletterId: string; campaignId: string }
  }
}

const DAY = 24 * 3600

/**
 * Mails those who may answer for a newsletter that another one wants to give it subscribers, each in their language. The mail names both newsletters and
 * repeats none of the words, so that nobody writes to strangers through it. The mails take the place of the job, so each is sent once.
 */
export function tellOfOfferJob(context: WithRelays): Job<'tell_of_offer'> {
  const { db, pool, config, now } = context
  const permissions = new MailPermissions(context)
  const ofAsker = new SharedLimit(pool, { name: 'campaign offers of newsletter', points: 20, seconds: DAY })
  const toAsked = new SharedLimit(pool, { name: 'campaign offers to newsletter', points: 20, seconds: DAY })
  const ofPair = new SharedLimit(pool, { name: 'campaign offers of a pair', points: 4, seconds: DAY })

  const isAdmitted = async (from: string, to: string) =>
    (await permissions.mayMail(from)) &&
    (await ofPair.admits(`${from} ${to}`)) &&
    (await ofAsker.admits(from)) &&
    (await toAsked.admits(to))

  return async ({ newsletterId, campaignId }, helpers) => {
    const from = await findNewsletter(db, newsletterId)
    const campaign = from && (await findCampaign(db, newsletterId, campaignId))
    const newsletter = campaign?.toNewsletterId && (await findNewsletter(db, campaign.toNewsletterId))
    // Somebody may have answered already, or it may be over.
    if (!from || !campaign || !newsletter || !waitsForAnswer(campaign, now())) return
    if (!(await isAdmitted(from.id, newsletter.id))) return
    const about = campaign.acceptedVersion === null ? 'offered' : 'changed'
    await db.transaction().execute(async (tx) => {
      if (!(await endJob(tx, helpers))) return
      for (const { email, language } of await membersToMail(tx, newsletter, 'newsletter.write')) {
        const t = translator(language)
        const values = { other: from.name, newsletter: newsletter.name }
        const mail = renderLinkMail(config, {
          ...{ newsletter, language, address: mailedAddress(config.publicUrl, studioPaths.campaigns, newsletter.id) },
          words: (part) => t(`campaigns.offerMail.${about}.${part === 'title' ? 'subject' : part}`, values),
        })
        await enqueue(tx, 'send_mail', { to: email, newsletterId: newsletter.id, ...mail })
      }
    })
  }
}
