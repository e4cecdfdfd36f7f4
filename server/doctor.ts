import { accessSync, constants, existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, loadConfig } from './config.ts'
import { createDatabase, createPool } from './database/client.ts'
import { shareEmbeddedPostgres } from './database/embedded.ts'
import { reachDatabase } from './database/reach.ts'
import { withDns } from './domains/dns.ts'
import { examineSender } from './domains/examine-sender.ts'
import { findingSentence } from './domains/finding-sentence.ts'
import { greetingName, relayAddress } from './mail/smtp/address.ts'
import { SmtpRelay } from './mail/smtp/smtp-relay.ts'
import { instancePlaces, type RelaySummary, relaySummary } from './relays/summary.ts'
import { messageOf } from './start-error.ts'
import type { Translate } from './translator.ts'

export interface Finding {
  /** `bad`: something that Tirage needs is missing. `note`: it works, but the operator should know. */
  state: 'good' | 'note' | 'bad'
  about: string
  finding: string
}

const WANTED_BYTES = 1024 ** 3

/** Checks everything that Tirage depends on. It changes nothing, but makes the data folder when that is missing. */
export async function examine(env: NodeJS.ProcessEnv, t: Translate): Promise<Finding[]> {
  const about = t('cli.doctor.configuration')
  try {
    const config = loadConfig(env)
    const { standing, findings } = await databaseOf(config, t)
    const parts = [storageOf(config, t), mailOf(config, standing, t), returnsOf(config, t), spaceOf(config, t)]
    const looked = [...findings, ...(await Promise.all(parts)).flat()]
    const settings = { state: 'good', about, finding: t('cli.doctor.configurationGood') } as const
    return [settings, ...looked, addressOf(config, t), secretOf(config, env, t), signInOf(config, t)]
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
    const found = look(databaseUrl ?? embedded?.url ?? '', config).finally(() => embedded?.stop())
    const { version, fsync, standing, sender } = await found
    const path = join(dataDir, 'postgres')
    const finding = databaseUrl
      ? t('cli.doctor.databaseYours', { version })
      : t('cli.doctor.databaseEmbedded', { version, path })
    const durability: Finding = {
      state: fsync ? 'good' : 'bad',
      about: t('cli.doctor.fsync'),
      finding: fsync ? t('cli.doctor.fsyncOn') : t('cli.doctor.fsyncOff'),
    }
    return { standing, findings: [{ state: 'good', about, finding }, durability, ...senderFindings(sender, t)] }
  } catch (error) {
    return { standing: null, findings: [{ state: 'bad', about, finding: messageOf(error) }] }
  }
}

async function look(url: string, config: Config) {
  const server = await reachDatabase(url)
  const db = createDatabase(createPool(url, 1))
  try {
    const standing = await relaySummary(db)
    const places = [...(standing ? await instancePlaces(db) : []), ...environmentPlace(config)].slice(0, 10)
    const sender = standing && places.length > 0 ? await examineSender(db, config, places) : null
    return { ...server, standing, sender }
  } finally {
    await db.destroy()
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

async function storageOf({ storageUrl, dataDir }: Config, t: Translate): Promise<Finding[]> {
  const about = t('cli.doctor.storage')
  if (storageUrl && !storageUrl.startsWith('file:')) {
    const { protocol, host } = new URL(storageUrl)
    return [{ state: 'good', about, finding: t('cli.doctor.storageRemote', { place: `${protocol}//${host}` }) }]
  }
  const wanted = storageUrl ? new URL(storageUrl).pathname : join(dataDir, 'media')
  const path = existsSync(wanted) ? wanted : dataDir
  try {
    accessSync(path, constants.W_OK)
    return [{ state: 'good', about, finding: t('cli.doctor.storageFolder', { path: wanted }) }]
  } catch (error) {
    return [{ state: 'bad', about, finding: messageOf(error) }]
  }
}

async function mailOf(config: Config, standing: RelaySummary | null, t: Translate): Promise<Finding[]> {
  const { instance = 0, own = 0, resting = [] } = standing ?? {}
  const about = t('cli.doctor.relays')
  const owned: Finding[] = own > 0 ? [{ state: 'good', about, finding: t('cli.doctor.relaysOwn', { count: own }) }] : []
  const tired = resting.map((relay): Finding => ({ state: 'bad', about, finding: t('cli.doctor.relayRests', relay) }))
  return [await wayOutOf(config, instance, t), ...owned, ...tired]
}

/** Connects to the relay and signs in as for a mail, but sends none. */
async function wayOutOf({ smtpUrl, publicUrl }: Config, instance: number, t: Translate): Promise<Finding> {
  const about = t('cli.doctor.mail')
  if (instance > 0) return { state: 'good', about, finding: t('cli.doctor.mailRelays', { count: instance }) }
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
  const finding = inbound
    ? t('cli.doctor.returnsHere', { domain, port: inbound.port })
    : t('cli.doctor.returnsElsewhere', { domain })
  return [{ state: inbound ? 'good' : 'note', about, finding }]
}

async function spaceOf({ dataDir: path }: Config, t: Translate): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(path)
  const bytes = bavail * bsize
  const gigabytes = bytes / 1024 ** 3
  const about = t('cli.doctor.space')
  return bytes < WANTED_BYTES
    ? [{ state: 'bad', about, finding: t('cli.doctor.spaceShort', { gigabytes, path }) }]
    : [{ state: 'good', about, finding: t('cli.doctor.spaceFree', { gigabytes, path }) }]
}

function addressOf({ publicUrl: url }: Config, t: Translate): Finding {
  const about = t('cli.doctor.publicUrl')
  if (url.startsWith('https:')) return { state: 'good', about, finding: t('cli.doctor.publicUrlSecure', { url }) }
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
  return { state: 'note', about, finding: t(`cli.doctor.${local ? 'publicUrlLocal' : 'publicUrlPlain'}`, { url }) }
}

function secretOf({ dataDir }: Config, env: NodeJS.ProcessEnv, t: Translate): Finding {
  const path = join(dataDir, 'secret')
  const finding = env.SECRET ? t('cli.doctor.secretSet') : t('cli.doctor.secretKept', { path })
  return { state: 'good', about: t('cli.doctor.secret'), finding }
}

function signInOf({ google, github, oidc }: Config, t: Translate): Finding {
  const others = [google && 'Google', github && 'GitHub', oidc?.name].filter((name) => name).map((name) => `, ${name}`)
  return {
    state: 'good',
    about: t('cli.doctor.signIn'),
    finding: t('cli.doctor.signInMethods', { others: others.join('') }),
  }
}
