import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { uuidv7 } from '../database/ids.ts'

/** What is known of a caught mail without opening it. */
export interface CaughtMail {
  id: string
  from: string
  to: string
  subject: string
  at: string
  bytes: number
  /** Whose mail it is; null for the instance's own, such as a sign-in link. */
  newsletterId: string | null
  envelope: { from: string; to: string[] }
}

const MAIL_ID = /^[0-9a-f-]{36}$/

/**
 * Caught mail: one `.eml` and one small `.json` a mail in a folder, the newest `limit` kept.
 *
 * What is in the folder is remembered, so catching a mail costs two files and never a look at the folder. Reading the
 * list looks once, because another process may catch into the same folder.
 */
export class Outbox {
  readonly #mails = new Map<string, CaughtMail>()
  #loaded: Promise<void> | null = null

  constructor(
    private readonly folder: string,
    private readonly limit = 1_000,
  ) {}

  /** Keeps a mail, and lets go of the oldest beyond the limit. */
  async keep(source: Buffer, envelope: CaughtMail['envelope']): Promise<CaughtMail> {
    await this.#load()
    const mail = await summarise(source, envelope)
    await writeFile(this.#path(mail.id, 'eml'), source)
    await writeFile(this.#path(mail.id, 'json'), JSON.stringify(mail))
    this.#mails.set(mail.id, mail)
    if (this.#mails.size > this.limit) await this.#forgetOldest()
    return mail
  }

  /** Newest first. */
  async list(): Promise<CaughtMail[]> {
    await this.#load()
    await this.#look()
    return [...this.#mails.values()].sort((a, b) => (a.id < b.id ? 1 : -1))
  }

  /** A mail and its source, or null when it is not kept any more. */
  async read(id: string): Promise<{ mail: CaughtMail; source: Buffer } | null> {
    if (!MAIL_ID.test(id)) return null
    try {
      const mail = JSON.parse(await readFile(this.#path(id, 'json'), 'utf8')) as CaughtMail
      return { mail, source: await readFile(this.#path(id, 'eml')) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  #load(): Promise<void> {
    // Sign-in links are in it: for nobody else on this machine.
    this.#loaded ??= mkdir(this.folder, { recursive: true, mode: 0o700 }).then(() => this.#look())
    return this.#loaded
  }

  async #look(): Promise<void> {
    const found = new Set(
      (await readdir(this.folder)).filter((name) => name.endsWith('.json')).map((n) => n.slice(0, -5)),
    )
    for (const id of this.#mails.keys()) if (!found.has(id)) this.#mails.delete(id)
    const added = [...found].filter((id) => MAIL_ID.test(id) && !this.#mails.has(id)).sort()
    for (const id of added) {
      const mail = await this.#readEntry(id)
      if (mail) this.#mails.set(id, mail)
    }
  }

  /** Null when it was let go meanwhile, or is still being written by another process. */
  async #readEntry(id: string): Promise<CaughtMail | null> {
    try {
      return JSON.parse(await readFile(this.#path(id, 'json'), 'utf8')) as CaughtMail
    } catch {
      return null
    }
  }

  async #forgetOldest(): Promise<void> {
    const surplus = [...this.#mails.keys()].slice(0, this.#mails.size - this.limit)
    for (const id of surplus) this.#mails.delete(id)
    await Promise.all(
      surplus.flatMap((id) => [
        rm(this.#path(id, 'eml'), { force: true }),
        rm(this.#path(id, 'json'), { force: true }),
      ]),
    )
  }

  #path = (id: string, kind: 'eml' | 'json') => join(this.folder, `${id}.${kind}`)
}

/** Only the header section is parsed: a body may be large, and thousands may arrive at once. */
async function summarise(source: Buffer, envelope: CaughtMail['envelope']): Promise<CaughtMail> {
  const end = source.indexOf('\r\n\r\n')
  const { headers, from, to, subject } = await PostalMime.parse(end < 0 ? source : source.subarray(0, end + 4))
  const now = Date.now()
  return {
    id: uuidv7(now),
    from: shown(from?.name, from?.address) || envelope.from,
    to: (to ?? []).map(({ name, address }) => shown(name, address)).join(', ') || envelope.to.join(', '),
    subject: subject ?? '',
    at: new Date(now).toISOString(),
    bytes: source.length,
    newsletterId: headers.find(({ key }) => key === 'x-tirage-newsletter')?.value ?? null,
    envelope,
  }
}

const shown = (name: string | undefined, address: string | undefined): string =>
  name && address ? `${name} <${address}>` : (address ?? '')
