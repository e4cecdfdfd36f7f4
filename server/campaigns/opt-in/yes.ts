import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { uuidv7 } from '../../database/ids.ts'
import type { DB } from '../../database/types.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Language } from '../../languages.ts'
import { giveTag, takeTag } from '../../segments/tags.ts'
import type { Address } from '../../subscribers/address.ts'
import { addCampaignReceipt, findCampaignYes, joinByCampaign, keepAddress } from '../../subscribers/campaign-consent.ts'
import { changeByConsent } from '../../subscribers/change.ts'
import { type Receipt, receiptOf } from '../../subscribers/consent.ts'
import { findByAddress, findSubscriber, type SubscriberRow } from '../../subscribers/queries.ts'
import { confirmAtOnce, requestSubscriptions } from '../../subscribers/request.ts'
import { type Campaign, findOptIn, lockCampaign, stateOf } from './queries.ts'
import { forgetRequest } from './requests.ts'
import { undoReceipt, wordsIn, yesReceipt } from './wording.ts'

type Deps = Pick<Context, 'signer' | 'now'> & { db: Kysely<DB> }

interface Saying {
  newsletter: NewsletterRow
  campaignId: string
  /** Who holds the mailbox: a subscriber whose signed link it is, or an address that was just proven. */
  who: { subscriber: SubscriberRow } | { address: Address; language: Language }
  /** What was on the page. Another version by now is asked anew. */
  version: number
  language: Language
  shortLinkId: string
  proof: string
  network: string | null
}

/** `again`: they had said it before, whether they took it back meanwhile or not. */
export type Said = 'yes' | 'again' | 'changed' | 'full' | 'over' | 'refused'

/** Rolls the transaction back. */
class NotSaid extends Error {
  constructor(readonly why: Exclude<Said, 'yes' | 'again'>) {
    super(why)
  }
}

/**
 * Somebody's yes to a campaign, with its receipt, its place, and what its beneficiary gets of it, in one transaction: nothing is passed on
 * twice, and nothing is half passed on. A second yes of the same person changes nothing. Yeses of one campaign wait for one another, so
 * that no more are said than it has places.
 */
export async function sayYes(deps: Deps, saying: Saying): Promise<Said> {
  try {
    return await deps.db.transaction().execute((tx) => sayYesIn(tx, deps, saying))
  } catch (error) {
    if (error instanceof NotSaid) return error.why
    throw error
  }
}

async function sayYesIn(tx: Db, deps: Deps, saying: Saying): Promise<'yes' | 'again'> {
  const { newsletter, campaignId } = saying
  const at = deps.now()
  const campaign = await lockCampaign(tx, { newsletterId: newsletter.id, campaignId })
  if (!campaign) throw new NotSaid('over')
  const known = await knownIn(tx, saying)
  const key = { newsletterId: newsletter.id, campaignId }
  const before = known && (await findOptIn(tx, { ...key, subscriberId: known.id }))
  if (before && !before.undoneAt) return 'again'
  const state = stateOf(campaign, at)
  if (state !== 'running') throw new NotSaid(state === 'full' ? 'full' : 'over')
  const shown = wordsIn({ words: { [saying.language]: campaign.words[saying.language] } }, saying.language)
  if (campaign.version !== saying.version || !shown) throw new NotSaid('changed')
  const receipt = yesReceipt({
    campaign,
    shown,
    newsletterName: newsletter.name,
    joins: 'address' in saying.who,
    means: 'subscriber' in saying.who ? 'campaign' : 'confirmation',
    proof: saying.proof,
    network: saying.network,
  })
  const subscriber = await subscriberFor(tx, deps, { saying, campaign, at, receipt })
  if (!subscriber) throw new NotSaid('refused')
  const person = { newsletterId: newsletter.id, subscriberId: subscriber.id }
  const gets = await passOn(tx, deps, { campaign, subscriber, at, receipt, wasActive: known?.status === 'active' })
  const values = {
    short_link_id: saying.shortLinkId,
    version: campaign.version,
    language: shown.language,
    confirmed_at: at,
    undone_at: null,
    passed_at: gets.passed ? at : null,
    subscribed: gets.subscribed,
    tagged: gets.tagged,
  }
  const optIn = { newsletter_id: newsletter.id, campaign_id: campaignId, id: before?.id ?? uuidv7(at.getTime()) }
  await tx
    .insertInto('opt_in')
    .values({ ...optIn, subscriber_id: subscriber.id, ...values })
    .onConflict((conflict) => conflict.columns(['newsletter_id', 'campaign_id', 'id']).doUpdateSet(values))
    .execute()
  await count(tx, key, 1)
  await forgetRequest(tx, deps.signer, { ...key, normalised: subscriber.email_normalised })
  await addCampaignReceipt(tx, 'given', { ...person, campaignId, at, receipt })
  await enqueue(tx, 'mail_opt_in_receipt', { ...key, optInId: optIn.id })
  return before ? 'again' : 'yes'
}

const knownIn = (tx: Db, { who, newsletter }: Saying): Promise<SubscriberRow | null | undefined> =>
  'subscriber' in who
    ? findSubscriber(tx, newsletter.id, who.subscriber.id)
    : findByAddress(tx, newsletter.id, who.address.normalised)

const count = (tx: Db, { newsletterId, campaignId }: { newsletterId: string; campaignId: string }, step: 1 | -1) =>
  sql`update opt_in_campaign set taken = taken + ${step}::integer where newsletter_id = ${newsletterId} and id = ${campaignId}`.execute(
    tx,
  )

interface Passing {
  campaign: Campaign
  at: Date
  receipt: Receipt
}

/** The row of whoever says yes. Of somebody who came by a mail to a typed address it may have to be made. */
async function subscriberFor(
  tx: Db,
  { signer }: Deps,
  { saying, campaign, at, receipt }: Passing & { saying: Saying },
): Promise<SubscriberRow | null> {
  const { who, newsletter } = saying
  if ('subscriber' in who) return (await findSubscriber(tx, newsletter.id, who.subscriber.id)) ?? null
  const given = {
    newsletterId: newsletter.id,
    email: who.address.typed,
    normalised: who.address.normalised,
    language: who.language,
    at,
  }
  if (campaign.beneficiary !== 'newsletter') return keepAddress(tx, signer, given)
  // The mailbox is proven. Whoever had left is asked once more by the mail that everybody gets who comes back.
  const request = {
    ...given,
    name: null,
    receipt: { ...receipt, proof: receipt.proof, beneficiary: { id: null, name: newsletter.name } },
    source: 'campaign' as const,
    confirms: false,
  }
  await requestSubscriptions(tx, signer, [request])
  await confirmAtOnce(tx, signer, [request])
  return (await findByAddress(tx, newsletter.id, who.address.normalised)) ?? null
}

interface Gets {
  passed: boolean
  subscribed: boolean
  tagged: boolean
}

/** Gives the beneficiary what a yes gives them. */
async function passOn(
  tx: Db,
  { signer }: Deps,
  { campaign, subscriber, at, receipt, wasActive }: Passing & { subscriber: SubscriberRow; wasActive: boolean },
): Promise<Gets> {
  const { newsletterId, id, tagId, toNewsletterId } = campaign
  if (campaign.beneficiary === 'sponsor') return { passed: true, subscribed: false, tagged: false }
  if (campaign.beneficiary === 'newsletter') {
    const tagged = tagId !== null && (await giveTag(tx, { newsletterId, tagId }, [subscriber.id])).length > 0
    const isActive = subscriber.status === 'active'
    return { passed: isActive, subscribed: isActive && !wasActive, tagged }
  }
  if (toNewsletterId === null) return { passed: false, subscribed: false, tagged: false }
  const joined = await joinByCampaign(tx, signer, {
    newsletterId: toNewsletterId,
    email: subscriber.email,
    normalised: subscriber.email_normalised,
    language: subscriber.language,
    at,
    receipt: {
      ...receipt,
      means: 'campaign',
      proof: `campaign ${id} of newsletter ${newsletterId}`,
      beneficiary: { id: null, name: campaign.toNewsletterName ?? '' },
    },
  })
  return { ...joined, tagged: false }
}

interface Undoing {
  newsletter: NewsletterRow
  campaignId: string
  subscriber: SubscriberRow
  language: Language
  network: string | null
}

/** Takes a yes back, whatever became of the campaign: its place is free, and the beneficiary has it no more. A second time changes nothing. */
export function undoYes({ db, now }: Deps, undoing: Undoing): Promise<void> {
  const { newsletter, campaignId, subscriber, network } = undoing
  const key = { newsletterId: newsletter.id, campaignId }
  return db.transaction().execute(async (tx) => {
    const at = now()
    const campaign = await lockCampaign(tx, key)
    const optIn = campaign && (await findOptIn(tx, { ...key, subscriberId: subscriber.id }))
    const yes = campaign && (await wordsSaidYesTo(tx, { campaign, subscriber, language: undoing.language }))
    if (!campaign || !optIn || optIn.undoneAt || !yes) return
    await tx
      .updateTable('opt_in')
      .set({ undone_at: at, subscribed: false, tagged: false })
      .where('newsletter_id', '=', newsletter.id)
      .where('campaign_id', '=', campaignId)
      .where('id', '=', optIn.id)
      .execute()
    await count(tx, key, -1)
    const proof = `campaign ${campaignId}`
    const receipt = undoReceipt(yes, { campaign, newsletterName: newsletter.name, network, proof })
    const person = { newsletterId: newsletter.id, subscriberId: subscriber.id }
    await addCampaignReceipt(tx, 'withdrawn', { ...person, campaignId, at, receipt })
    if (optIn.tagged && campaign.tagId !== null)
      await takeTag(tx, { newsletterId: newsletter.id, tagId: campaign.tagId }, [subscriber.id])
    if (optIn.subscribed) await leave(tx, { campaign, subscriber, at, undoing })
  })
}

/** What a yes was said to, as its receipt has it; where there is none, what the campaign asks now. */
async function wordsSaidYesTo(
  tx: Db,
  { campaign, subscriber, language }: { campaign: Campaign; subscriber: SubscriberRow; language: Language },
) {
  const { newsletterId, id: campaignId } = campaign
  const said = await findCampaignYes(tx, { newsletterId, campaignId, subscriberId: subscriber.id })
  if (said) return said
  const shown = wordsIn(campaign, language)
  if (!shown) return null
  return { wording: shown.words.question, wordingVersion: String(campaign.version), language: shown.language }
}

/** Ends the subscription that the yes had begun. */
async function leave(
  tx: Db,
  { campaign, subscriber, at, undoing }: Omit<Passing, 'receipt'> & { subscriber: SubscriberRow; undoing: Undoing },
): Promise<void> {
  const isOther = campaign.beneficiary === 'other_newsletter'
  const newsletterId = isOther ? campaign.toNewsletterId : campaign.newsletterId
  const name = isOther ? (campaign.toNewsletterName ?? '') : undoing.newsletter.name
  if (newsletterId === null) return
  const joined = isOther ? await findByAddress(tx, newsletterId, subscriber.email_normalised) : subscriber
  if (!joined) return
  const { language, network } = undoing
  const receipt = receiptOf('leave', {
    ...{ newsletter: { name }, language, means: 'campaign', network },
    proof: `campaign ${campaign.id} of newsletter ${campaign.newsletterId}`,
  })
  await changeByConsent(tx, 'unsubscribed', [{ newsletterId, subscriberId: joined.id, at, receipt }])
}
