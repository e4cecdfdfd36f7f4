import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { type Config, loadConfig } from './config.ts'
import { createDatabase, createPool } from './database/client.ts'
import { shareEmbeddedPostgres } from './database/embedded.ts'
import { reachDatabase } from './database/reach.ts'
import type { DB } from './database/types.ts'
import { receiptFindings } from './doctor-receipts.ts'
import { stripeFindings } from './doctor-stripe.ts'
import { addressFinding, type Finding, folderFinding, greets, signInFindings, storageFinding } from './doctor-trials.ts'
import { withDns } from './domains/dns.ts'
import { examineSender } from './domains/examine-sender.ts'
import { findingSentence } from './domains/finding-sentence.ts'
import { greetingName, relayAddress } from './mail/smtp/address.ts'
import { SmtpRelay } from './mail/smtp/smtp-relay.ts'
import { instancePlaces, type RelaySummary, relaySummary } from './relays/summary.ts'
import { shortageIn } from './shortage.ts'
import { messageOf } from './start-error.ts'
import type { Translate } from './translator.ts'

const WANTED_BYTES = 1024 ** 3

/**
 * Tries everything that Tirage depends on. What a trial writes is removed; it changes nothing, but makes the data folder when that is
 * missing.
 */
export async function examine(env: NodeJS.ProcessEnv, t: Translate): Promise<Finding[]> {
  const about = t('cli.doctor.configuration')
  try {
    const config = loadConfig(env)
    const { standing, findings } = await databaseOf(config, t)
    const looked = await Promise.all([
      storageFinding(config, t),
      mailOf(config, standing, t),
      returnsOf(config, t),
      spaceOf(config, t),
      addressFinding(config, t),
      secretOf(config, env, t),
      signInFindings(config, t),
    ])
    const settings = { state: 'good', about, finding: t('cli.doctor.configurationGood') } as const
    return [settings, ...findings, ...looked.flat()]
  } catch (error) {
    return messageOf(error)
      .split('\n')
      .map((finding) => ({ state: 'bad', about, finding }))
  }
}

async function databaseOf(
  config: Config,
  t: Translate,
): Promise<{ findings: Finding[]; standing: RelaySummary | null }> {
  const { databaseUrl, dataDir } = config
  const about = t('cli.doctor.database')
  try {
    const log = { info: () => {}, warn: () => {} }
    const embedded = databaseUrl ? null : await shareEmbeddedPostgres({ dataDir, log })
    const found = look(databaseUrl ?? embedded?.url ?? '', config, t).finally(() => embedded?.stop())
    const { version, fsync, standing, sender, writes, receipts, stripe } = await found
    const path = join(dataDir, 'postgres')
    const finding = databaseUrl
      ? t('cli.doctor.databaseYours', { version })
      : t('cli.doctor.databaseEmbedded', { version, path })
    const durability: Finding = {
      state: fsync ? 'good' : 'bad',
      about: t('cli.doctor.fsync'),
      finding: fsync ? t('cli.doctor.fsyncOn') : t('cli.doctor.fsyncOff'),
    }
    const reached: Finding = writes
      ? { state: 'good', about, finding }
      : { state: 'bad', about, finding: t('cli.doctor.databaseReadOnly', { version }) }
    return { standing, findings: [reached, durability, ...receipts, ...senderFindings(sender, t), ...stripe] }
  } catch (error) {
    return { standing: null, findings: [{ state: 'bad', about, finding: messageOf(error) }] }
  }
}

async function look(url: string, config: Config, t: Translate) {
  const server = await reachDatabase(url)
  const db = createDatabase(createPool(url, 1))
  try {
    const standing = await relaySummary(db)
    const places = [...(standing ? await instancePlaces(db) : []), ...environmentPlace(config)].slice(0, 10)
    const sender = standing && places.length > 0 ? await examineSender(db, config, places) : null
    const receipts = await receiptFindings(db, config.secret, t)
    const stripe = await stripeFindings(db, config, t)
    return { ...server, standing, sender, writes: await takesWrites(db), receipts, stripe }
  } finally {
    await db.destroy()
  }
}

/** The table is gone with its transaction. @throws errors of the database, except that it only reads */
async function takesWrites(db: Kysely<DB>): Promise<boolean> {
  try {
    await sql`create temporary table trial (n integer) on commit drop`.execute(db)
    return true
  } catch (error) {
    if (shortageIn(error) !== 'read_only') throw error
    return false
  }
}

const environmentPlace = ({ smtpUrl }: Config) => (smtpUrl ? [{ host: new URL(smtpUrl).hostname }] : [])

/** The sender of the instance's own mail. While mail is caught, nobody checks whose it is. */
function senderFindings(sender: Awaited<ReturnType<typeof examineSender>> | null, t: Translate): Finding[] {
  if (!sender) return []
  const { kind, address, domain, findings } = sender
  const about = t('cli.doctor.sender')
  if (kind !== 'own') return [{ state: 'note', about, finding: t(`cli.doctor.sender_${kind}`, { address, domain }) }]
  return [
    { state: 'good', about, finding: address },
    ...findings.map((finding): Finding => {
      const states = { good: 'good', wrong: 'bad', missing: 'note', unknown: 'note' } as const
      return {
        state: states[finding.state],
        about: t(`domain.short.${finding.check}`),
        finding: findingSentence(finding, t),
      }
    }),
  ]
}

async function mailOf(config: Config, standing: RelaySummary | null, t: Translate): Promise<Finding[]> {
  const { instance = 0, own = 0, resting = [] } = standing ?? {}
  const about = t('cli.doctor.relays')
  const owned: Finding[] = own > 0 ? [{ state: 'set', about, finding: t('cli.doctor.relaysOwn', { count: own }) }] : []
  const tired = resting.map((relay): Finding => ({ state: 'bad', about, finding: t('cli.doctor.relayRests', relay) }))
  return [await wayOutOf(config, instance, t), ...owned, ...tired]
}

/** Connects to the relay and signs in as for a mail, but sends none. */
async function wayOutOf({ smtpUrl, publicUrl }: Config, instance: number, t: Translate): Promise<Finding> {
  const about = t('cli.doctor.mail')
  if (instance > 0) return { state: 'set', about, finding: t('cli.doctor.mailRelays', { count: instance }) }
  if (!smtpUrl) return { state: 'note', about, finding: t('cli.doctor.mailCaught') }
  const { host } = new URL(smtpUrl)
  const away = await new SmtpRelay(relayAddress(smtpUrl), { name: greetingName(publicUrl) }).verify()
  if (!away) return { state: 'good', about, finding: t('cli.doctor.mailReached', { host }) }
  return { state: 'bad', about, finding: t('cli.doctor.mailAway', { host, reason: away.text }) }
}

/** The address for bounces and complaints, and whether DNS leads to it. */
async function returnsOf({ bounceDomain: domain, inbound, dnsServers }: Config, t: Translate): Promise<Finding[]> {
  const about = t('cli.doctor.returns')
  if (domain === null) return [{ state: 'note', about, finding: t('cli.doctor.returnsNowhere') }]
  const { kind } = await withDns(dnsServers, (dns) => dns.mx(domain))
  if (kind === 'none') return [{ state: 'bad', about, finding: t('cli.doctor.returnsNoMx', { domain }) }]
  if (!inbound) return [{ state: 'note', about, finding: t('cli.doctor.returnsElsewhere', { domain }) }]
  const { port } = inbound
  return (await greets(inbound))
    ? [{ state: 'good', about, finding: t('cli.doctor.returnsHere', { domain, port }) }]
    : [{ state: 'note', about, finding: t('cli.doctor.returnsSilent', { domain, port }) }]
}

async function spaceOf(config: Config, t: Translate): Promise<Finding[]> {
  const { dataDir: path } = config
  const hindered = await folderFinding(config, t)
  if (hindered) return [hindered]
  const { bavail, bsize } = await statfs(path)
  const bytes = bavail * bsize
  const gigabytes = bytes / 1024 ** 3
  const about = t('cli.doctor.space')
  return bytes < WANTED_BYTES
    ? [{ state: 'bad', about, finding: t('cli.doctor.spaceShort', { gigabytes, path }) }]
    : [{ state: 'good', about, finding: t('cli.doctor.spaceFree', { gigabytes, path }) }]
}

function secretOf({ dataDir }: Config, env: NodeJS.ProcessEnv, t: Translate): Finding {
  const path = join(dataDir, 'secret')
  const finding = env.SECRET ? t('cli.doctor.secretSet') : t('cli.doctor.secretKept', { path })
  return { state: env.SECRET ? 'set' : 'good', about: t('cli.doctor.secret'), finding }
}
