export type Meaning =
  | 'noMailbox'
  | 'noDomain'
  | 'badAddress'
  | 'moved'
  | 'ourAddress'
  | 'closed'
  | 'full'
  | 'tooLarge'
  | 'busy'
  | 'network'
  | 'content'
  | 'policy'
  | 'later'
  | 'unsigned'
  | 'login'
  | 'refused'
  | 'unknownHost'
  | 'nobodyListens'
  | 'noAnswer'
  | 'certificate'
  | 'noEncryption'
  | 'plainPort'
  | 'tls'
  | 'noSignIn'
  | 'silent'
  | 'hungUp'
  | 'private'

/** By subject and detail of an enhanced status code (RFC 3463 and the IANA registry). The first match counts. */
const enhanced: [RegExp, Meaning][] = [
  [/^1\.(0|1)$/, 'noMailbox'],
  [/^1\.(2|10)$|^4\.4$/, 'noDomain'],
  [/^1\.[345]$/, 'badAddress'],
  [/^1\.6$/, 'moved'],
  [/^1\.[789]$/, 'ourAddress'],
  [/^2\.1$/, 'closed'],
  [/^2\.2$/, 'full'],
  [/^(2\.3|3\.4)$/, 'tooLarge'],
  [/^7\.(8|9|10|11|12|13|14|17|18|19)$/, 'login'],
  [/^7\.(2\d|30)$/, 'unsigned'],
  [/^7\./, 'policy'],
  [/^6\./, 'content'],
  [/^4\./, 'network'],
  [/^[35]\./, 'busy'],
]

/** By SMTP reply code alone (RFC 5321, section 4.2.3). Many servers use 550 for many reasons. */
const plain: Record<string, Meaning> = {
  '421': 'busy',
  '450': 'busy',
  '451': 'busy',
  '452': 'busy',
  '530': 'login',
  '535': 'login',
  '550': 'refused',
  '551': 'moved',
  '552': 'full',
  '553': 'badAddress',
  '554': 'refused',
}

/** By a sentence of ours (`server/mail/smtp/`, `server/net/`): no server said it, and what it means says all of it. */
const ownSentences: [RegExp, Meaning][] = [
  [/^The relay offers no encryption/, 'noEncryption'],
  // What OpenSSL makes of a greeting in clear text.
  [/^TLS with \S+ failed: .*(wrong version number|packet length too long|unknown protocol)/, 'plainPort'],
  [/^The relay offers no way to sign in/, 'noSignIn'],
  [/^The relay did not (greet us|complete the TLS handshake) in time/, 'silent'],
  [/^The (relay|provider) did not .* in time/, 'noAnswer'],
  [/^The relay closed the connection|^The connection was closed/, 'hungUp'],
  [/is an address of a private network, and this server asks only public ones$/, 'private'],
]

/** By a sentence of ours around somebody's words, which stay beside what it means. */
const aroundWords: [RegExp, Meaning][] = [
  [/^The relay offers STARTTLS and refuses it|^The relay said more than its consent|^TLS with /, 'tls'],
]

/** By the error of the network or the runtime, when no server answered. */
const ourSide: [RegExp, Meaning][] = [
  [/ENOTFOUND|EAI_AGAIN/, 'unknownHost'],
  [/ECONNREFUSED/, 'nobodyListens'],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timed? ?out/i, 'noAnswer'],
  [/ECONNRESET|EPIPE/, 'hungUp'],
  [/certificate|self-signed/i, 'certificate'],
]

/** Nobody refused a mail: none was handed over. */
const beforeMail: ReadonlySet<Meaning | null> = new Set<Meaning>([
  'noEncryption',
  'plainPort',
  'tls',
  'noSignIn',
  'certificate',
  'private',
])

/** What a relay's refusal usually means. Null for an acceptance, and for an answer without a known code. */
export function meaningOf(answer: string): Meaning | null {
  const ours = [...ownSentences, ...aroundWords].find(([words]) => words.test(answer))
  if (ours) return ours[1]
  const [, reply = '', own] = /^(\d{3})?[ -]?(?:.*?\b([245]\.\d{1,3}\.\d{1,3})\b)?/s.exec(answer) ?? []
  const kind = (own ?? reply).charAt(0)
  if (kind === '') return ourSide.find(([words]) => words.test(answer))?.[1] ?? null
  if (kind === '2') return null
  const detail = own?.slice(2) ?? ''
  // A temporary policy refusal is about how fast or how often mail comes, not about its content.
  if (kind === '4' && detail.startsWith('7.')) return 'later'
  const found = enhanced.find(([code]) => code.test(detail))?.[1]
  return found ?? plain[reply] ?? (kind === '4' ? 'busy' : 'refused')
}

/** The words of an answer that stand beside its meaning: somebody's, none of ours. */
export const wordsOf = (answer: string): string | null =>
  ownSentences.some(([words]) => words.test(answer)) ? null : answer

/** Whether no mail was handed over, so that it was not the mail that was refused. */
export const isBeforeMail = (answer: string): boolean => beforeMail.has(meaningOf(answer))
