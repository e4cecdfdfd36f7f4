import PostalMime, { type Email } from 'postal-mime'
import { enhancedStatusIn, withoutType } from '../mail/enhanced-status.ts'
import { readPlainBounce } from './plain-bounce.ts'
import { asWords, bareAddress, type Fields, readFields } from './report-fields.ts'

/** What a bounce or a complaint says. */
export interface Report {
  source: 'dsn' | 'arf'
  /** The action (RFC 3464) or the type of feedback (RFC 5965), in lower case. */
  event: string
  status: string | null
  /** The other server's own words, up to 500 characters. */
  words: string
  recipient: string | null
  /** The envelope senders of the original, which may name its delivery. */
  returnPaths: string[]
  originalMessageId: string | null
}

/** A report stands before the copy of our message, and of that copy only the header is needed. */
const MAX_LINES = 4_000
const MAX_BYTES = 128 * 1024
/** Long headers, such as lists of addresses, cost most. Anybody may send one, and no report has one. */
const LIMITS = { maxNestingDepth: 20, maxHeadersSize: 64 * 1024, forceRfc822Attachments: true }

/**
 * Reads a bounce (RFC 3464), a complaint (RFC 5965), or a bounce of an older form. Returns null for everything else: answers
 * of people, automatic replies (RFC 3834), mail that cannot be read. Never throws.
 */
export async function readReport(raw: Buffer): Promise<Report | null> {
  let email: Email
  try {
    email = await PostalMime.parse(beginningOf(raw), LIMITS)
  } catch {
    // Nested too deep, or with too long a header: this is no report.
    return null
  }
  const original = originalOf(email)
  const feedback = partOf(email, ['message/feedback-report'])
  if (feedback !== null) return readComplaint(readFields(feedback)[0] ?? new Map(), email, original)
  const status = partOf(email, ['message/delivery-status', 'message/global-delivery-status'])
  if (status !== null) return readBounce(readFields(status), email, original)
  const bounce = readPlainBounce(email)
  if (bounce) return { source: 'dsn', ...bounce, ...namesOf(original) }
  return readForwarded(email, original)
}

function beginningOf(raw: Buffer): Buffer {
  let end = 0
  for (let line = 0; line < MAX_LINES && end < MAX_BYTES; line += 1) {
    const next = raw.indexOf(0x0a, end)
    if (next < 0) return raw.subarray(0, MAX_BYTES)
    end = next + 1
  }
  return raw.subarray(0, Math.min(end, MAX_BYTES))
}

/** Takes the first recipient that failed. Our messages have one. */
function readBounce(groups: Fields[], email: Email, original: Fields | null): Report {
  const recipients = groups.filter((group) => group.has('action') || group.has('final-recipient'))
  const group = recipients.find((one) => actionOf(one) === 'failed') ?? recipients[0] ?? new Map<string, string>()
  const diagnosis = withoutType(group.get('diagnostic-code'))
  return {
    source: 'dsn',
    event: actionOf(group),
    status: statusOf(group.get('status'), diagnosis),
    words: asWords(diagnosis ?? email.text ?? ''),
    recipient: withoutType(group.get('final-recipient') ?? group.get('original-recipient')),
    ...namesOf(original),
  }
}

const actionOf = (group: Fields): string => group.get('action')?.toLowerCase().split(/[\s(]/)[0] ?? ''

/** `x.0.0` says only that it failed. Some servers give the real status in the diagnosis alone. */
function statusOf(field: string | undefined, diagnosis: string | null): string | null {
  const status = enhancedStatusIn(field ?? '')
  return status === null || status.endsWith('.0.0') ? (enhancedStatusIn(diagnosis ?? '') ?? status) : status
}

function readComplaint(fields: Fields, email: Email, original: Fields | null): Report {
  const { returnPaths, originalMessageId } = namesOf(original)
  const sender = fields.get('original-mail-from')
  const recipient = fields.get('original-rcpt-to') ?? fields.get('removal-recipient')
  return {
    source: 'arf',
    event: fields.get('feedback-type')?.toLowerCase() ?? '',
    status: null,
    words: asWords(email.text ?? fields.get('user-agent') ?? ''),
    recipient: recipient ? bareAddress(recipient) : null,
    returnPaths: sender ? [bareAddress(sender), ...returnPaths] : returnPaths,
    originalMessageId,
  }
}

/** Some providers return the message and no fields. At the address for complaints this is a complaint. */
const readForwarded = (email: Email, original: Fields | null): Report | null =>
  original && {
    source: 'arf',
    event: 'forwarded',
    status: null,
    words: asWords(email.text ?? email.subject ?? ''),
    recipient: null,
    ...namesOf(original),
  }

function partOf({ attachments }: Email, types: string[]): string | null {
  const part = attachments.find(({ mimeType }) => types.includes(mimeType))
  if (!part) return null
  return typeof part.content === 'string' ? part.content : new TextDecoder().decode(part.content)
}

const originalTypes = ['message/rfc822', 'text/rfc822-headers', 'message/global', 'message/global-headers']

function originalOf(email: Email): Fields | null {
  const text = partOf(email, originalTypes)
  return text === null ? null : (readFields(text)[0] ?? null)
}

function namesOf(original: Fields | null): Pick<Report, 'returnPaths' | 'originalMessageId'> {
  const returnPath = original?.get('return-path')
  return {
    returnPaths: returnPath ? [bareAddress(returnPath)] : [],
    originalMessageId: original?.get('message-id') ?? null,
  }
}
