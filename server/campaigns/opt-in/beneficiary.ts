import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import { AppError } from '../../errors.ts'
import { findMembership } from '../../newsletters/membership.ts'
import { may } from '../../permissions.ts'
import { requireTags } from '../../segments/tags.ts'
import type { updateOptInCampaign } from './contract.ts'
import { type Campaign, sameWords, waitsForAnswer } from './queries.ts'

type Change = z.output<typeof updateOptInCampaign.body>

export interface Changing {
  newsletterId: string
  campaignId: string
  /** Who changes it; null for an API key. */
  userId: string | null
}

type Beneficiary = Pick<
  Campaign,
  | 'beneficiary'
  | 'tagId'
  | 'toNewsletterId'
  | 'acceptedAt'
  | 'declinedAt'
  | 'sponsorName'
  | 'sponsorAddress'
  | 'sponsorPrivacy'
>

const nobody = {
  ...{ tagId: null, toNewsletterId: null, acceptedAt: null, declinedAt: null },
  ...{ sponsorName: '', sponsorAddress: '', sponsorPrivacy: '' },
}

/** Whom a yes is for after a change. @throws AppError beneficiary_fixed, tag_not_found, newsletter_not_found */
export async function beneficiaryOf(
  tx: Db,
  { newsletterId, campaignId, userId }: Changing,
  { change, before, now }: { change: NonNullable<Change['beneficiary']>; before: Campaign; now: Date },
): Promise<Beneficiary> {
  const wanted = await readBeneficiary(tx, { newsletterId, userId }, { change, before, now })
  const fixed = ({ beneficiary, toNewsletterId, sponsorName }: Beneficiary) =>
    JSON.stringify([beneficiary, toNewsletterId, sponsorName])
  if (fixed(wanted) !== fixed(before) && (await hasYes(tx, newsletterId, campaignId)))
    throw new AppError('beneficiary_fixed')
  return wanted
}

async function readBeneficiary(
  tx: Db,
  { newsletterId, userId }: Omit<Changing, 'campaignId'>,
  { change, before, now }: { change: NonNullable<Change['beneficiary']>; before: Campaign; now: Date },
): Promise<Beneficiary> {
  if (change.kind === 'newsletter') {
    if (change.tagId !== null) await requireTags(tx, newsletterId, [change.tagId])
    return { ...nobody, beneficiary: 'newsletter', tagId: change.tagId }
  }
  if (change.kind === 'sponsor') {
    const { name, address, privacy } = change.sponsor
    return { ...nobody, beneficiary: 'sponsor', sponsorName: name, sponsorAddress: address, sponsorPrivacy: privacy }
  }
  const toNewsletterId = await findOther(tx, newsletterId, change.newsletter)
  const agrees = await agreesFor(tx, toNewsletterId, userId)
  const isSame = toNewsletterId === before.toNewsletterId
  const acceptedAt = (isSame ? before.acceptedAt : null) ?? (agrees ? now : null)
  const declinedAt = isSame && !acceptedAt ? before.declinedAt : null
  return { ...nobody, beneficiary: 'other_newsletter', toNewsletterId, acceptedAt, declinedAt }
}

/** Whether somebody may answer for the other newsletter, so that what they do is its yes. */
async function agreesFor(tx: Db, newsletterId: string, userId: string | null): Promise<boolean> {
  const membership = userId === null ? null : await findMembership(tx, newsletterId, userId)
  return membership !== null && may(membership.role, 'newsletter.write')
}

type Agreement = Pick<Campaign, 'acceptedAt' | 'acceptedVersion' | 'askedAt'>

/**
 * What the yes of another newsletter is after a change. It agreed to words, so with others it has to agree anew, unless whoever writes them
 * may answer for it. Those who may are mailed once: when there is something to answer, and when words changed to which it had agreed.
 */
export async function agreementTo(
  tx: Db,
  after: Campaign,
  { before, userId, at }: { before: Campaign; userId: string | null; at: Date },
): Promise<Agreement> {
  const { toNewsletterId, acceptedAt } = after
  if (toNewsletterId === null) return { acceptedAt, acceptedVersion: null, askedAt: null }
  const isSame = toNewsletterId === before.toNewsletterId
  const last = isSame ? before : { acceptedAt: null, acceptedVersion: null, askedAt: null }
  const isChanged = !sameWords(after.words, before.words)
  const keeps = acceptedAt && (!last.acceptedAt || !isChanged || (await agreesFor(tx, toNewsletterId, userId)))
  if (keeps) {
    const acceptedVersion = last.acceptedAt && !isChanged ? last.acceptedVersion : after.version
    return { acceptedAt, acceptedVersion, askedAt: last.askedAt }
  }
  const { acceptedVersion } = last
  const askedAt = acceptedAt ? null : last.askedAt
  const asks = askedAt === null && waitsForAnswer({ ...after, acceptedAt: null }, at)
  return { acceptedAt: null, acceptedVersion, askedAt: asks ? at : askedAt }
}

async function findOther(tx: Db, newsletterId: string, idOrHandle: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from newsletter where (id = ${idOrHandle} or handle = ${idOrHandle}) and deleted_at is null
    order by id = ${idOrHandle} desc limit 1`.execute(tx)
  const other = rows[0]?.id
  if (other === undefined || other === newsletterId) throw new AppError('newsletter_not_found')
  return other
}

async function hasYes(tx: Db, newsletterId: string, campaignId: string): Promise<boolean> {
  const query = tx.selectFrom('opt_in').select('id').where('newsletter_id', '=', newsletterId)
  return (await query.where('campaign_id', '=', campaignId).limit(1).executeTakeFirst()) !== undefined
}
