import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { z } from 'zod'
import { uuidv7 } from '../database/ids.ts'
import { codeOf } from '../start-error.ts'

/** The stored summary of a caught mail. */
const CaughtMail = z.object({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  at: z.string(),
  bytes: z.number(),
  /** The newsletter that sent it; null for mail of the instance, such as a sign-in link. */
  newsletterId: z.string().nullable(),
  envelope: z.object({ from: z.string(), to: z.array(z.string()) }),
})
export type CaughtMail = z.infer<typeof CaughtMail>

const KEPT = 1_000
/** Another process may still be writing a younger draft. */
const DRAFT_MS = 60 * 60_000

const MAIL_ID = /^[0-9a-f-]{36}$/

/** Where the mail of a server is caught. */
export const outboxFolder = (dataDir: string): string => join(dataDir, 'outbox')

/**
 * Caught mail in a folder: one `.eml` and one small `.json` for each mail. Keeps the newest `limit` mails,
 * and says of each whose it is. A mail program may watch the folder, so no file has its name before it is whole.
 *
 * It remembers the contents of the folder, so catching a mail writes two files and does not read the folder. The list reads
 * the folder, because another process may catch mail into it.
 */
export class Outbox {
  readonly #mails = new Map<string, CaughtMail>()
  #loaded: Promise<void> | null = null

  constructor(
    private readonly folder: string,
    private readonly options: { limit?: number; kept?: (newsletterId: string | null) => void } = {},
  ) {}

  get #limit(): number {
    return this.options.limit ?? KEPT
  }

  /** Keeps a mail whole or not at all, and deletes the oldest ones beyond the limit. */
  async keep(source: Buffer, envelope: CaughtMail['envelope']): Promise<CaughtMail> {
    await this.#load()
    const mail = await summarise(source, envelope)
    try {
      await writeWhole(this.#path(mail.id, 'eml'), source)
      await writeWhole(this.#path(mail.id, 'json'), JSON.stringify(mail))
    } catch (error) {
      await this.#remove(mail.id)
      throw error
    }
    this.#mails.set(mail.id, mail)
    if (this.#mails.size > this.#limit) await this.#deleteOldest()
    this.options.kept?.(mail.newsletterId)
    return mail
  }

  /** Newest first. */
  async list(): Promise<CaughtMail[]> {
    await this.#load()
    await this.#readFolder()
    return [...this.#mails.values()].sort((a, b) => (a.id < b.id ? 1 : -1))
  }

  /** A mail and its source; null when it is not kept any more. */
  async read(id: string): Promise<{ mail: CaughtMail; source: Buffer } | null> {
    if (!MAIL_ID.test(id)) return null
    try {
      const mail = await this.#readSummary(id)
      return { mail, source: await readFile(this.#path(id, 'eml')) }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null
      throw error
    }
  }

  /**
   * Deletes a newsletter's mails to these addresses, and those whose links have one of these names of their recipient: after a move
   * some are to an address that nobody knows any more.
   */
  async forget({
    newsletterId,
    emails,
    names,
  }: Pick<CaughtMail, 'newsletterId'> & { emails: string[]; names: string[] }): Promise<void> {
    const addresses = new Set(emails.map((email) => email.toLowerCase()))
    for (const mail of (await this.list()).filter((one) => one.newsletterId === newsletterId)) {
      const isTo = mail.envelope.to.some((address) => addresses.has(address.toLowerCase()))
      if (!isTo && !(await this.#hasOneOf(mail.id, names))) continue
      this.#mails.delete(mail.id)
      await this.#remove(mail.id)
    }
  }

  async #hasOneOf(id: string, names: string[]): Promise<boolean> {
    if (names.length === 0) return false
    const source = (await this.read(id))?.source.toString('latin1') ?? ''
    // Lines of a body end softly (RFC 2045 section 6.7), and those of a header are folded.
    const whole = source.replaceAll(/=\r?\n|\r?\n[ \t]/g, '')
    return names.some((name) => whole.includes(name))
  }

  #load(): Promise<void> {
    // The mail contains sign-in links, so no other user of this machine may read the folder.
    this.#loaded ??= mkdir(this.folder, { recursive: true, mode: 0o700 }).then(async () => {
      await this.#deleteDrafts()
      await this.#readFolder()
    })
    return this.#loaded
  }

  /** What a process left that was killed while it wrote. */
  async #deleteDrafts(): Promise<void> {
    for (const name of (await readdir(this.folder)).filter((name) => name.endsWith('.part'))) {
      const path = join(this.folder, name)
      const written = await stat(path).catch(() => null)
      if (written && Date.now() - written.mtimeMs > DRAFT_MS) await rm(path, { force: true })
    }
  }

  async #readFolder(): Promise<void> {
    const names = await readdir(this.folder)
    const found = new Set(names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5)))
    for (const id of this.#mails.keys()) if (!found.has(id)) this.#mails.delete(id)
    const added = [...found].filter((id) => MAIL_ID.test(id) && !this.#mails.has(id)).sort()
    for (const id of added) {
      const mail = await this.#readEntry(id)
      if (mail) this.#mails.set(id, mail)
    }
  }

  async #readSummary(id: string): Promise<CaughtMail> {
    return CaughtMail.parse(JSON.parse(await readFile(this.#path(id, 'json'), 'utf8')))
  }

  /** Null when it was deleted meanwhile, or when somebody else wrote it and it cannot be read. */
  async #readEntry(id: string): Promise<CaughtMail | null> {
    try {
      return await this.#readSummary(id)
    } catch {
      return null
    }
  }

  async #deleteOldest(): Promise<void> {
    const surplus = [...this.#mails.keys()].slice(0, this.#mails.size - this.#limit)
    for (const id of surplus) this.#mails.delete(id)
    await Promise.all(surplus.map((id) => this.#remove(id)))
  }

  async #remove(id: string): Promise<void> {
    await rm(this.#path(id, 'eml'), { force: true })
    await rm(this.#path(id, 'json'), { force: true })
  }

  #path = (id: string, kind: 'eml' | 'json') => join(this.folder, `${id}.${kind}`)
}

async function writeWhole(path: string, data: Buffer | string): Promise<void> {
  const draft = `${path}.part`
  try {
    await writeFile(draft, data)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
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
