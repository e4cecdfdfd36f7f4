import type { Email } from 'postal-mime'
import { enhancedStatusIn } from '../mail/enhanced-status.ts'
import { asWords } from './report-fields.ts'

/** A server explains the bounce at the beginning. The limits keep the expressions below off long texts. */
const MAX_TEXT = 20_000
const MAX_PARAGRAPH = 2_000

interface PlainBounce {
  event: 'failed' | 'delayed'
  status: string | null
  words: string
  recipient: string | null
}

const daemons = /^(mailer-daemon|mail-daemon|postmaster|mdaemon|mailerdaemon)(@|$)/i

const failure =
  /undeliver|returned mail|failure notice|delivery (status|has |incomplete|failure|failed)|non remis|non distribu|échec de/i
const delay = /delay|warning|retard|still (being )?retried/i

/**
 * Reads a bounce in words alone, as qmail and older Exchange and Exim write it. The sender and the subject tell that it is
 * one. An automatic reply of a person's mailbox (RFC 3834) is not.
 */
export function readPlainBounce(email: Email): PlainBounce | null {
  const text = beforeCopy(email.text ?? '').slice(0, MAX_TEXT)
  const failed = email.headers.find(({ key }) => key === 'x-failed-recipients')?.value.trim() ?? null
  const subject = email.subject ?? ''
  const daemon = daemons.test(email.from?.address ?? '')
  if (failed === null && !(daemon && (failure.test(subject) || delay.test(subject)))) return null
  const words = explanationIn(text).slice(0, MAX_PARAGRAPH)
  return {
    event: failed === null && delay.test(subject) && !failure.test(subject) ? 'delayed' : 'failed',
    status: enhancedStatusIn(words) ?? enhancedStatusIn(text),
    words: asWords(words),
    recipient: failed ?? /<([^<>\s]+@[^<>\s]+)>/.exec(words)?.[1] ?? null,
  }
}

/** Below such a line is our own message, whose numbers mean nothing here. */
const beforeCopy = (text: string): string =>
  text.split(/^-+ ?(?:below this line|this is a copy|original message|the following|returned message)/im)[0] ?? ''

/** Returns the paragraph that has a status code, or the first one. */
function explanationIn(text: string): string {
  const paragraphs = text.split(/\n[ \t\r]*\n/).filter((paragraph) => paragraph.trim())
  return (
    paragraphs.find((one) => enhancedStatusIn(one)) ??
    paragraphs.find((one) => /\b[45]\d\d\b/.test(one)) ??
    paragraphs.at(0) ??
    ''
  )
}
