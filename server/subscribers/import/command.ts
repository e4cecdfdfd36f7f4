import { createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { addLine } from '../../audit/lines.ts'
import { AppError } from '../../errors.ts'
import { MailPermissions } from '../../newsletters/mail-permission.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { messageOf, StartError } from '../../start-error.ts'
import type { Translate } from '../../translator.ts'
import { type ImportOrder, readOrder, targetsOf, targetText } from './command-choices.ts'
import { type Counts, type Import, importLimits } from './contract.ts'
import { rowReasons } from './file/contract.ts'
import { FileParts } from './file-parts.ts'
import * as imports from './imports.ts'
import { streamReport } from './report.ts'
import { ImportRunner } from './runner.ts'

interface Terminal {
  t: Translate
  say(line: string): void
  /** Shows how far it is, in place of what was shown before; null takes it away. */
  progress(line: string | null): void
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

type Shown = z.input<typeof Import>

const LOOK_MS = 300
const counted = ['added', 'here', 'confirmed', 'keptAway', 'leftOut', 'twins', 'refused'] as const

/**
 * `tirage import`: the steps of the page *Imports* from a terminal. What its process does can be done as well by one that serves, and
 * whichever has the lock of the newsletter works: so it goes on where this one is killed.
 *
 * @returns whether it came to its end: false when it was stopped
 * @throws StartError for what cannot be done as asked
 */
export async function importCommand(context: WithRelays, args: string[], terminal: Terminal): Promise<boolean> {
  const { t } = terminal
  const order = readOrder(args, t)
  try {
    return await new ImportByCommand(context, order, terminal).run()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new StartError(t(`errors.${error.code}`, error.params), { cause: error })
  }
}

class ImportByCommand {
  readonly #files: FileParts
  #key: imports.ImportKey = { newsletterId: '', importId: '' }

  constructor(
    private readonly context: WithRelays,
    private readonly order: ImportOrder,
    private readonly terminal: Terminal,
  ) {
    this.#files = new FileParts(context.config)
  }

  async run(): Promise<boolean> {
    const { signal, t } = this.terminal
    const newsletterId = await this.#findNewsletter()
    await new MailPermissions(this.context).require(newsletterId)
    await using file = await open(this.order.file).catch((error: unknown) => {
      throw new StartError(t('cli.import.noFile', { file: this.order.file, why: messageOf(error) }), { cause: error })
    })
    const bytes = await sizeOf(file)
    if (bytes === null) throw new StartError(t('cli.import.noFile', { file: this.order.file, why: 'EISDIR' }))
    const fileName = basename(this.order.file).slice(-200)
    const begun = await imports.beginImport(this.context.db, { newsletterId, personId: null, fileName, bytes })
    this.#key = { newsletterId, importId: begun.id }
    let stopping = Promise.resolve()
    const stop = () => {
      stopping = this.#stop()
    }
    signal.addEventListener('abort', stop, { once: true })
    try {
      if (signal.aborted) stop()
      return await this.#carryOut(file, bytes)
    } catch (error) {
      if (!signal.aborted) stop()
      await stopping
      await this.#until('cancelled', 'refused', 'done')
      if (signal.aborted && error instanceof AppError) return this.#sayStopped()
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
      this.terminal.progress(null)
    }
  }

  async #findNewsletter(): Promise<string> {
    const { newsletter } = this.order
    const rows = await this.context.db.selectFrom('newsletter').select(['id', 'handle']).orderBy('handle').execute()
    const found = rows.find(({ id, handle }) => handle === newsletter || id === newsletter)
    if (found) return found.id
    const handles = rows.map(({ id, handle }) => handle ?? id).join(', ') || '—'
    throw new StartError(this.terminal.t('cli.import.noNewsletter', { newsletter, handles }))
  }

  async #carryOut(file: FileHandle, bytes: number): Promise<boolean> {
    const { db } = this.context
    const { say, t } = this.terminal
    await this.#upload(file, bytes)
    await this.#check()
    const checked = await this.#until('checked', 'uploaded', 'cancelled')
    if (checked.state === 'cancelled') return this.#sayStopped()
    this.#refuse(checked)
    if (!this.order.isDryRun) {
      await this.#note('import_started')
      await imports.startImport(db, this.#key)
    }
    const ended = this.order.isDryRun ? checked : await this.#until('done', 'cancelled')
    if (ended.state === 'cancelled') return this.#sayStopped()
    await this.#sayResult(ended)
    if (this.order.isDryRun) {
      await imports.cancelImport(db, this.#key)
      await this.#until('cancelled')
    }
    say(this.order.isDryRun ? t('cli.import.dry') : t('cli.import.done', { days: importLimits.takeBackDays }))
    return true
  }

  async #upload(file: FileHandle, bytes: number): Promise<void> {
    let part = 0
    do {
      const at = part * importLimits.partBytes
      const data = Buffer.alloc(Math.min(importLimits.partBytes, bytes - at))
      await file.read(data, 0, data.length, at)
      await imports.addPart({ db: this.context.db, files: this.#files }, this.#key, { part, data })
      part += 1
    } while (part * importLimits.partBytes < bytes)
    this.#refuse(await imports.findImport(this.context.db, this.#key))
    const { encoding } = this.order
    if (encoding) await imports.readImportAs({ db: this.context.db, files: this.#files }, this.#key, encoding)
  }

  /** @throws StartError when the file was refused */
  #refuse({ refusal }: Shown): void {
    const { t } = this.terminal
    if (!refusal) return
    const { code, line } = refusal
    const where = line === null ? '' : ` ${t('imports.refusal.line', { n: line })}`
    throw new StartError(`${t('imports.refusal.title')}. ${t(`imports.refusal.${code}`)}${where}`)
  }

  async #check(): Promise<void> {
    const { t, say } = this.terminal
    const { sheet } = await imports.findImport(this.context.db, this.#key)
    if (!sheet) throw new AppError('import_moved_on')
    const targets = targetsOf(sheet, this.order.map, t)
    const delimiter = sheet.delimiter === '\t' ? '\\t' : sheet.delimiter
    say(t('cli.import.read', { encoding: sheet.encoding, delimiter, tool: sheet.preset ?? '—' }))
    for (const [at, target] of targets.entries()) say(`  ${sheet.columns[at]?.name}=${targetText(target)}`)
    const { choices } = this.order
    await imports.checkImport(this.context.db, this.#key, {
      ...{ ...choices, targets, hasHeader: sheet.hasHeader, confirmed: true },
    })
    await this.#note('import_checked', { origin: choices.origin })
  }

  #note(act: 'import_checked' | 'import_started', detail: Record<string, string> = {}): Promise<string> {
    const { newsletterId, importId } = this.#key
    return addLine(this.context.db, { newsletterId, act, actor: 'operator', detail: { importId, ...detail } })
  }

  /** Works, or lets a process that serves work, until the import is in one of these states. */
  async #until(...states: Shown['state'][]): Promise<Shown> {
    const runner = new ImportRunner(this.context, this.#key.newsletterId)
    const look = () => imports.findImport(this.context.db, this.#key)
    const showing = setInterval(() => {
      look().then(
        (shown) => this.#showProgress(shown),
        () => {},
      )
    }, 1_000)
    try {
      for (;;) {
        await runner.drain()
        const shown = await look()
        if (states.includes(shown.state)) return shown
        await sleep(LOOK_MS)
      }
    } finally {
      clearInterval(showing)
      this.terminal.progress(null)
    }
  }

  #showProgress({ state, progress: { done, total } }: Shown): void {
    const { t, progress } = this.terminal
    if (state !== 'checking' && state !== 'importing' && state !== 'finishing' && state !== 'cancelling') return
    const percent = total > 0 ? Math.min(Math.floor((done / total) * 100), 100) : 0
    progress(t('cli.import.progress', { what: t(`imports.working.${state}`), percent }))
  }

  async #sayResult({ id, counts }: Shown): Promise<void> {
    const { t, say } = this.terminal
    if (counts) this.#sayCounts(counts)
    const { newsletterId } = this.#key
    const reported = await imports.firstReported(this.context.db, this.#key)
    for (const [reason, count] of Object.entries(counts?.reasons ?? {})) {
      say(`  ${t('cli.import.reason', { count, reason: sentenceOf(reason, t) })}`)
      for (const { line, cell } of reported.filter((row) => row.reason === reason))
        say(`    ${t('cli.import.line', { line, cell })}`)
    }
    const { report } = this.order
    if (report === null) return
    const rows = await streamReport(this.context, { newsletterId, importId: id, t })
    if (report === '-') {
      for await (const piece of rows) say(String(piece).trimEnd())
      return
    }
    await pipeline(rows, createWriteStream(report)).catch((error: unknown) => {
      throw new StartError(messageOf(error), { cause: error })
    })
    say(t('cli.import.report', { file: report }))
  }

  #sayCounts(counts: z.input<typeof Counts>): void {
    const { t, say } = this.terminal
    say(t('cli.import.lines', { count: counts.rows }))
    for (const kind of counted)
      if (kind !== 'confirmed' || counts.confirmed > 0)
        say(`  ${t(`cli.import.count.${kind}`, { count: counts[kind] })}`)
  }

  async #stop(): Promise<void> {
    const { say, t, signal } = this.terminal
    try {
      await imports.cancelImport(this.context.db, this.#key)
      if (signal.aborted) say(t('cli.import.stopping'))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (signal.aborted) say(t('cli.import.goesOn'))
    }
  }

  #sayStopped(): false {
    this.terminal.say(this.terminal.t('cli.import.stopped'))
    return false
  }
}

/** Null for what is no file. */
async function sizeOf(file: FileHandle): Promise<number | null> {
  const stat = await file.stat()
  return stat.isFile() ? stat.size : null
}

function sentenceOf(reason: string, t: Translate): string {
  const known = rowReasons.find((one) => one === reason)
  return known ? t(`imports.reason.${known}`) : reason
}
