import type { Context } from '../context.ts'
import { isOurs } from '../mail/message-id.ts'
import { type DeliveryKey, readReturnPath, readUnsubscribeMailbox } from '../mail/return-path.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { proveDeliveries } from '../sending/delivery-state.ts'
import { changeByConsent } from '../subscribers/change.ts'
import { receiptOf } from '../subscribers/consent.ts'
import { findSubscriber } from '../subscribers/queries.ts'
import { findByMessageId, recordFeedback } from './feedback.ts'
import { type Report, readReport } from './reports.ts'
import { classify } from './rules.ts'

type Dependencies = Pick<Context, 'config' | 'db' | 'signer' | 'now'>

/** What mail to one of our addresses is about. */
export type Purpose =
  | { kind: 'bounce'; delivery: DeliveryKey }
  | { kind: 'leave'; delivery: DeliveryKey }
  | { kind: 'complaints' }

/** The addresses that are registered with mailbox providers for their feedback loops. */
const complaintBoxes = ['complaints', 'fbl']

/** Returns null for an address that we gave to nobody. */
export function purposeOf({ config, signer }: Pick<Context, 'config' | 'signer'>, address: string): Purpose | null {
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  if (domain === config.bounceDomain && complaintBoxes.includes(local)) return { kind: 'complaints' }
  const bounced = readReturnPath(config, signer, address)
  if (bounced) return { kind: 'bounce', delivery: bounced }
  const leaving = readUnsubscribeMailbox(config, signer, address)
  return leaving && { kind: 'leave', delivery: leaving }
}

export interface InboundMail {
  raw: Buffer
  /** The sender's network, as a consent receipt keeps it. */
  network: string
}

/**
 * Does what a mail to one of our addresses asks for, and ignores one that asks for nothing. When it resolves, the result
 * is committed.
 */
export async function handleInboundMail(
  dependencies: Dependencies,
  purposes: Purpose[],
  { raw, network }: InboundMail,
): Promise<void> {
  const report = purposes.some(({ kind }) => kind !== 'leave') ? await readReport(raw) : null
  for (const purpose of purposes) {
    if (purpose.kind === 'leave') await leaveByMail(dependencies, purpose.delivery, network)
    else if (report) await handleReport(dependencies, purpose, report)
  }
}

async function handleReport(
  dependencies: Dependencies,
  purpose: Exclude<Purpose, { kind: 'leave' }>,
  report: Report,
): Promise<void> {
  const kind = classify(report)
  const bounced = purpose.kind === 'bounce' && report.event !== 'forwarded' ? purpose.delivery : null
  const delivery =
    purpose.kind === 'complaints' && report.source === 'arf'
      ? await findComplainedDelivery(dependencies, report)
      : bounced
  if (delivery && kind !== 'ignore') await recordFeedback(dependencies.db, delivery, { ...report, kind })
}

/** Finds the delivery of the message that a complaint returns. Anybody may send a complaint, so the message must be ours. */
async function findComplainedDelivery(
  { config, db, signer }: Dependencies,
  { returnPaths, originalMessageId }: Report,
) {
  for (const address of returnPaths) {
    const delivery = readReturnPath(config, signer, address)
    if (delivery) return delivery
  }
  return originalMessageId && isOurs(signer, originalMessageId) ? findByMessageId(db, originalMessageId) : null
}

/** Any mail is enough, whatever it says: most programs write it themselves when somebody presses their button. */
async function leaveByMail({ db, now }: Dependencies, delivery: DeliveryKey, network: string): Promise<void> {
  const { newsletterId, subscriberId, publicationId } = delivery
  const newsletter = await findNewsletter(db, newsletterId)
  const subscriber = newsletter && (await findSubscriber(db, newsletterId, subscriberId))
  if (!subscriber) return
  const { language } = subscriber
  const receipt = receiptOf('leave', { newsletter, language, means: 'mail', network })
  await changeByConsent(db, 'unsubscribed', [{ newsletterId, subscriberId, publicationId, at: now(), receipt }])
  await proveDeliveries(db, 'proved_by_leaving', [delivery])
}
