import { connect } from 'node:net'
import { z } from 'zod'
import type { Config } from './config.ts'
import { AppError } from './errors.ts'
import { folderProbe } from './http/probes.ts'
import { openStorage } from './media/open-storage.ts'
import { tryStorage } from './media/try-storage.ts'
import { limitedFetch } from './net/fetch.ts'
import { shortageIn } from './shortage.ts'
import { messageOf } from './start-error.ts'
import type { Translate } from './translator.ts'

export interface Finding {
  /**
   * `good`: it was tried just now. `set`: it is set, and cannot be tried from here. `note`: it works, but the operator should know.
   * `bad`: something that Tirage needs is missing.
   */
  state: 'good' | 'set' | 'note' | 'bad'
  about: string
  finding: string
}

const LONGEST_MS = 5_000
const asked = { timeoutMs: LONGEST_MS, maxBytes: 100_000, mayBePrivate: true } as const

/** Writes, reads and removes a small file where images are kept. */
export async function storageFinding(config: Config, t: Translate): Promise<Finding> {
  const about = t('cli.doctor.storage')
  const storage = await openStorage(config)
  const { place } = storage
  try {
    await tryStorage(storage, config)
    return { state: 'good', about, finding: t('cli.doctor.storageTried', { place }) }
  } catch (error) {
    const code = shortageIn(error) ?? (error instanceof AppError ? error.code : 'storage_away')
    const kind = code === 'storage_away' ? 'Away' : 'Refuses'
    return { state: 'bad', about, finding: t(`cli.doctor.storage${kind}`, { place, reason: reasonIn(error) }) }
  }
}

const reasonIn = (error: unknown): string =>
  error instanceof AppError && error.cause instanceof Error ? error.cause.message : messageOf(error)

/** Writes and removes a small file in the data folder. Null when that works. */
export async function folderFinding({ dataDir: path }: Config, t: Translate): Promise<Finding | null> {
  const hindrance = await folderProbe(path).try()
  if (!hindrance) return null
  const kind = hindrance === 'storage_full' ? 'Full' : hindrance === 'descriptors' ? 'Busy' : 'ReadOnly'
  return { state: 'bad', about: t('cli.doctor.space'), finding: t(`cli.doctor.folder${kind}`, { path }) }
}

/** Asks for its own address as anybody would. From behind some networks that is impossible although others reach it. */
export async function addressFinding({ publicUrl: url }: Config, t: Translate): Promise<Finding> {
  const about = t('cli.doctor.publicUrl')
  if (!url.startsWith('https:')) {
    const local = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
    return { state: 'note', about, finding: t(`cli.doctor.${local ? 'publicUrlLocal' : 'publicUrlPlain'}`, { url }) }
  }
  try {
    await limitedFetch(new URL(`${url}/healthz`), asked)
    return { state: 'good', about, finding: t('cli.doctor.publicUrlReached', { url }) }
  } catch (error) {
    return { state: 'note', about, finding: t('cli.doctor.publicUrlAway', { url, reason: messageOf(error) }) }
  }
}

const Discovery = z.object({ issuer: z.string(), authorization_endpoint: z.url(), token_endpoint: z.url() })

/** Password and mailed link need nobody else. An OpenID provider is asked for its endpoints; Google and GitHub say nothing of a client. */
export async function signInFindings({ google, github, oidc }: Config, t: Translate): Promise<Finding[]> {
  const about = t('cli.doctor.signIn')
  const set = [google && 'Google', github && 'GitHub'].filter((name) => name !== null)
  return [
    { state: 'good', about, finding: t('cli.doctor.signInMethods') },
    ...set.map((name): Finding => ({ state: 'set', about, finding: t('cli.doctor.signInSet', { name }) })),
    ...(oidc ? [await openIdFinding(oidc, t)] : []),
  ]
}

/** OpenID Connect Discovery 1.0, section 4. */
async function openIdFinding({ issuer, name }: NonNullable<Config['oidc']>, t: Translate): Promise<Finding> {
  const about = t('cli.doctor.signIn')
  try {
    const address = new URL(`${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`)
    const { success, data } = Discovery.safeParse(JSON.parse(await limitedFetch(address, asked)))
    if (success && data.issuer.replace(/\/+$/, '') === issuer.replace(/\/+$/, '')) {
      return { state: 'good', about, finding: t('cli.doctor.openIdFound', { name }) }
    }
    return { state: 'bad', about, finding: t('cli.doctor.openIdOther', { name, address: address.href }) }
  } catch (error) {
    return { state: 'bad', about, finding: t('cli.doctor.openIdAway', { name, reason: messageOf(error) }) }
  }
}

/** Whether something greets at the port for bounces. While Tirage does not run, nothing does. */
export function greets({ host, port }: NonNullable<Config['inbound']>): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      host: host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host,
      port,
      timeout: LONGEST_MS,
    })
    const end = (found: boolean) => {
      socket.destroy()
      resolve(found)
    }
    socket.once('data', (greeting: Buffer) => end(greeting.toString('latin1').startsWith('220')))
    socket.once('error', () => end(false)).once('timeout', () => end(false))
  })
}
