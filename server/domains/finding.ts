import { type DnsRecord, DomainCheck, type Finding } from './contract.ts'

type Found = Finding['found'][number]
type Detail = Partial<Pick<Finding, 'values' | 'ofServer' | 'found' | 'set'>>

/** Other people's records may have any length; what the page shows of them is limited. */
const SHOWN_CHARACTERS = 600
const SHOWN_RECORDS = 6

/** The result of one check; the reason's prefix says which. What it quotes from DNS is cut to a readable length. */
export function finding(
  state: Finding['state'],
  reason: Finding['reason'],
  { values = {}, ofServer = null, found = [], set = [] }: Detail = {},
): Finding {
  const check = DomainCheck.parse(reason.split('_')[0])
  const shown = found.slice(0, SHOWN_RECORDS).map((record) => ({ ...record, value: cut(record.value) }))
  const cutValues = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? cut(value) : value,
  ])
  return { check, state, reason, values: Object.fromEntries(cutValues), ofServer, found: shown, set }
}

const cut = (text: string): string => (text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text)

export const txtRecords = (name: string, values: string[]): Found[] =>
  values.map((value) => ({ name, type: 'TXT', value }))

/** A TXT record holds strings of at most 255 bytes (RFC 1035 section 3.3.14); readers join them without a space. */
const STRING_BYTES = 255

/** A record to set: its value for a provider's form, and its line for a zone file. */
export function txtRecord(name: string, value: string): DnsRecord {
  const strings = value.match(new RegExp(`.{1,${STRING_BYTES}}`, 'gs')) ?? ['']
  const quoted = strings.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`)
  const text = quoted.length > 1 ? `( ${quoted.join(' ')} )` : quoted.join('')
  return { name, type: 'TXT', value, zone: `${name}. 3600 IN TXT ${text}` }
}
