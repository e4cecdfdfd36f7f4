import { type Kysely, sql } from 'kysely'
import type { DB } from './database/types.ts'
import type { Finding } from './doctor-trials.ts'
import { Signer } from './http/signing.ts'
import { type Fault, type Verified, verifyChain } from './subscribers/receipts/verify.ts'
import type { Translate } from './translator.ts'

/** Faults of one newsletter that are said one by one. */
const SAID = 5

/** Verifies the consent receipts of all newsletters, one after another. */
export async function receiptFindings(db: Kysely<DB>, secret: string, t: Translate): Promise<Finding[]> {
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass('receipt_chain') is not null as there`.execute(db)
  if (!tables[0]?.there) return []
  const begun = performance.now()
  const about = t('cli.doctor.receipts')
  const signer = new Signer(secret)
  const findings: Finding[] = []
  const total = { receipts: 0, erased: 0, waiting: 0 }
  for (const { id, name } of await db.selectFrom('newsletter').select(['id', 'name']).orderBy('id').execute()) {
    const verified = await verifyChain(db, signer, id)
    total.receipts += verified.receipts
    total.erased += verified.erased
    total.waiting += verified.waiting
    findings.push(
      ...faultsOf(verified, `${name} (${id})`, t).map((finding) => ({ state: 'bad', about, finding }) as const),
    )
  }
  if (findings.length > 0) return findings
  const seconds = (performance.now() - begun) / 1_000
  return [{ state: 'good', about, finding: t('cli.doctor.receiptsGood', { ...total, seconds }) }]
}

function faultsOf({ named, faults }: Verified, newsletter: string, t: Translate): string[] {
  const said = named.slice(0, SAID).map((fault) => faultSentence(fault, newsletter, t))
  const more = faults - said.length
  return more > 0 ? [...said, t('cli.doctor.receiptFault.more', { newsletter, count: more })] : said
}

const faultSentence = ({ kind, position, receipt }: Fault, newsletter: string, t: Translate): string =>
  t(`cli.doctor.receiptFault.${kind}`, { newsletter, position: position ?? '–', receipt: receipt ?? '–' })
