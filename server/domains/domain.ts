import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { instanceMailIdentity, mailIdentityOf } from '../newsletters/mail-identity.ts'
import type { DomainKind, getDomain } from './contract.ts'
import { type DkimKeyRow, listKeys } from './dkim-keys.ts'
import { keyBits, recordName, recordText } from './dkim-record.ts'
import { dnsName, isFreeMail, isLocal, readableName } from './domain-names.ts'
import { txtRecord } from './finding.ts'
import { MAX_KEYS } from './make-dkim-keys.ts'

export interface SenderDomain {
  domain: string
  kind: DomainKind
  address: string
}

/** The domain of a newsletter's sender address; with null, of the instance's. */
export function domainOf(config: Context['config'], newsletter: NewsletterRow | null): SenderDomain {
  const { address, domain: written } = newsletter ? mailIdentityOf(config, newsletter) : instanceMailIdentity(config)
  const domain = dnsName(written)
  if (domain === null || isLocal(domain)) return { domain: domain ?? written, kind: 'local', address }
  return { domain, kind: isFreeMail(domain) ? 'free_mail' : 'own', address }
}

export async function presentDomain(
  { db, config }: Pick<Context, 'db' | 'config'>,
  newsletter: NewsletterRow | null,
): Promise<z.input<typeof getDomain.reply>> {
  const { domain, kind, address } = domainOf(config, newsletter)
  const keys = await listKeys(db, newsletter?.id ?? null)
  return {
    domain,
    readable: readableName(domain),
    kind,
    senderAddress: address,
    keys: keys.map(presentKey),
    maximum: MAX_KEYS,
  }
}

const presentKey = (row: DkimKeyRow) => ({
  id: row.id,
  domain: row.domain,
  selector: row.selector,
  algorithm: row.algorithm,
  bits: keyBits({ algorithm: row.algorithm, publicKey: row.public_key }),
  state: stateOf(row),
  createdAt: row.created_at.toISOString(),
  seenAt: row.verified_at?.toISOString() ?? null,
  activeAt: row.active_at?.toISOString() ?? null,
  retiredAt: row.retired_at?.toISOString() ?? null,
  record: txtRecord(recordName(row), recordText({ algorithm: row.algorithm, publicKey: row.public_key })),
})

function stateOf({ active_at, retired_at }: DkimKeyRow): 'waiting' | 'active' | 'retired' {
  if (retired_at) return 'retired'
  return active_at ? 'active' : 'waiting'
}
