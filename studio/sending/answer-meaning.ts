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

/** By the error of the network or the runtime, when no server answered. */
const ourSide: [RegExp, Meaning][] = [
  [/ENOTFOUND|EAI_AGAIN/, 'unknownHost'],
  [/ECONNREFUSED/, 'nobodyListens'],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timed? ?out/i, 'noAnswer'],
  [/certificate|self-signed/i, 'certificate'],
]

/** What a relay's refusal usually means. Null for an acceptance, and for an answer without a known code. */
export function meaningOf(answer: string): Meaning | null {
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
