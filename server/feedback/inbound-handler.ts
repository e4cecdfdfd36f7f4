import type { Context } from '../context.ts'
import { isOurs } from '../mail/message-id.ts'
import { type DeliveryKey, readLeaveAddress, readReturnPath } from '../mail/return-path.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { changeByConsent } from '../subscribers/change.ts'
import { receiptOf } from '../subscribers/consent.ts'
import { findSubscriber } from '../subscribers/queries.ts'
import { findByMessageId, recordFeedback } from './feedback.ts'
import { type Report, readReport } from './reports.ts'
import { judge } from './rules.ts'

type Dependencies = Pick<Context, 'config' | 'db' | 'signer' | 'now'>

/** What mail to one of our addresses is about. */
export type Purpose =
  | { kind: 'bounce'; delivery: DeliveryKey }
  | { kind: 'leave'; delivery: DeliveryKey }
  | { kind: 'complaints' }

/** What is registered with mailbox providers for their feedback loops. */
const complaintBoxes = ['complaints', 'fbl']

/** Null for every address that we never gave to anybody. */
export function purposeOf({ config, signer }: Pick<Context, 'config' | 'signer'>, address: string): Purpose | null {
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  if (domain === config.bounceDomain && complaintBoxes.includes(local)) return { kind: 'complaints' }
  const bounced = readReturnPath(config, signer, address)
  if (bounced) return { kind: 'bounce', delivery: bounced }
  const leaving = readLeaveAddress(config, signer, address)
  return leaving && { kind: 'leave', delivery: leaving }
}

export interface InboundMail {
  raw: Buffer
  /** Where it came from, as a receipt keeps it. */
  network: string
}

/**
 * Does what a mail to one of our addresses asks for; what asks for nothing is passed over. Once it returns, what it did
 * is in the database.
 */
export async function handleInboundMail(
  dependencies: Dependencies,
  purposes: Purpose[],
  { raw, network }: InboundMail,
): Promise<void> {
  const read = purposes.some(({ kind }) => kind !== 'leave') ? await readReport(raw) : null
  for (const purpose of purposes) {
    if (purpose.kind === 'leave') await leaveByMail(dependencies, purpose.delivery, network)
    else if (read) await takeReport(dependencies, purpose, read)
  }
}

async function takeReport(
  dependencies: Dependencies,
  purpose: Exclude<Purpose, { kind: 'leave' }>,
  report: Report,
): Promise<void> {
  const kind = judge(report)
  const known = purpose.kind === 'bounce' && report.event !== 'forwarded' ? purpose.delivery : null
  const delivery = purpose.kind === 'complaints' && report.source === 'arf' ? await named(dependencies, report) : known
  if (delivery && kind !== 'ignore') await recordFeedback(dependencies.db, delivery, { ...report, kind })
}

/** The delivery that a complaint is about, as the message that it brings back tells. Anybody may bring one: it must be ours. */
async function named({ config, db, signer }: Dependencies, { returnPaths, originalMessageId }: Report) {
  for (const address of returnPaths) {
    const delivery = readReturnPath(config, signer, address)
    if (delivery) return delivery
  }
  return originalMessageId && isOurs(signer, originalMessageId) ? findByMessageId(db, originalMessageId) : null
}

/** One mail is enough, whatever it says: most programs write it by themselves when somebody presses their button. */
async function leaveByMail({ db, now }: Dependencies, delivery: DeliveryKey, network: string): Promise<void> {
  const { newsletterId, subscriberId, publicationId } = delivery
  const newsletter = await findNewsletter(db, newsletterId)
  const subscriber = newsletter && (await findSubscriber(db, newsletterId, subscriberId))
  if (!subscriber) return
  const language = subscriber.language
  const receipt = receiptOf('leave', { newsletter, language, means: 'mail', network })
  await changeByConsent(db, 'unsubscribed', [{ newsletterId, subscriberId, publicationId, at: now(), receipt }])
}
