import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { readdir, readFile, rename } from 'node:fs/promises'
import { hostname, uptime } from 'node:os'
import { join } from 'node:path'
import { isUuid } from '../database/ids.ts'
import { beginningOf } from '../database/process.ts'
import type { PublicationKey, Result, Sending } from './sending.ts'

/** The content of a journal: the claims of one worker, as far as they are known. */
export interface JournalRecord {
  sending: Sending
  worker: string
  /** The results of the messages that were answered. */
  results: Result[]
  /** Subscribers whose message was begun and has no answer. */
  begun: string[]
  /** False after a reboot, or when a line is damaged: other messages may have been sent too. */
  complete: boolean
}

interface Head {
  /** Journals of older releases have no `id` here; the first sending of a publication has the id of the publication. */
  sending: PublicationKey & { id?: string }
  worker: string
  host: string
  pid: number
  /** When the process began, which distinguishes it from a later one with the same id. */
  beginning: string | null
  bootedAt: number
}

/** Seconds since 1970. A corrected clock looks like another boot; then the journal counts as incomplete, which is safe. */
const bootedAt = (): number => Math.round(Date.now() / 1000 - uptime())
const isSameBoot = (then: number): boolean => Math.abs(then - bootedAt()) <= 5

const thisProcess = {
  host: hostname(),
  pid: process.pid,
  beginning: beginningOf(process.pid),
  bootedAt: bootedAt(),
} as const

/**
 * Names of the workers whose journals are open. This is a fact of the process, like its id: all dispatchers of a process
 * share the folder, and none may recover what another is writing. So it is the one state that no object holds.
 */
const openJournals = new Set<string>()

/**
 * A worker’s notes about the claims that it holds, on local disk: a line before the text of a message leaves and a line with
 * its answer. So a process that was killed is unsure of at most one message an open connection, not of all it had claimed.
 *
 * A line is in the file when the call returns, whatever then happens to the process. It is not flushed to the disk: after
 * a power cut `JournalRecord.complete` is false instead. When there is no room for a whole line, there is none of it and the call
 * throws.
 */
export class Journal {
  readonly #file: string
  readonly #descriptor: number
  readonly #head: Head
  #bytes = 0

  /** @throws Error EEXIST when there is a journal of that name: the claims of one would be lost with the file of the other */
  constructor(folder: string, sending: Sending, worker: string) {
    mkdirSync(folder, { recursive: true })
    this.#head = { sending, worker, ...thisProcess }
    this.#file = join(folder, `${worker.replaceAll(/[^\w.-]/g, '_')}.log`)
    this.#descriptor = openSync(this.#file, 'ax', 0o600)
    openJournals.add(worker)
    try {
      this.#write(JSON.stringify(this.#head))
    } catch (error) {
      this.close(true)
      throw error
    }
  }

  begun(subscriberId: string): void {
    this.#write(subscriberId)
  }

  answered(result: Result): void {
    this.#write(JSON.stringify(result))
  }

  /** Ends it; `recorded` when everything is in the database. Otherwise the file stays, and recovery reads it. */
  close(recorded: boolean): void {
    closeSync(this.#descriptor)
    if (recorded) rmSync(this.#file, { force: true })
    openJournals.delete(this.#head.worker)
  }

  #write = (line: string): void => {
    const bytes = Buffer.from(`${line}\n`)
    let written = 0
    try {
      // A disk that fills up takes a part, and refuses the rest.
      while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written)
    } catch (error) {
      if (written > 0) ftruncateSync(this.#descriptor, this.#bytes)
      throw error
    }
    this.#bytes += bytes.length
  }
}

/**
 * Reads the journals in a folder whose process has ended, and those of other hosts whose worker’s leases have ended (`isOver`).
 * `recover` writes each to the database; then its file is removed.
 */
export async function readJournals(
  folder: string,
  isOver: (worker: string) => Promise<boolean>,
  recover: (record: JournalRecord) => Promise<void>,
): Promise<void> {
  for (const name of await filesIn(folder)) {
    const file = join(folder, name)
    // Another process may have recovered it a moment ago.
    const text = await unlessGone(readFile(file, 'utf8'), '')
    const [head, ...lines] = text.split('\n').slice(0, -1)
    // The file was created a moment ago.
    if (head === undefined) continue
    const owner = parsed<Head>(head)
    if (!owner) {
      // Its owner is unknown. The claims become uncertain when their lease ends.
      await rename(file, `${file}.unreadable`)
      continue
    }
    if (owner.host === hostname() ? isOwnerRunning(owner) : !(await isOver(owner.worker))) continue
    await recover(recordOf(owner, lines))
    rmSync(file, { force: true })
  }
}

const filesIn = async (folder: string): Promise<string[]> =>
  (await unlessGone(readdir(folder), [])).filter((name) => name.endsWith('.log'))

const unlessGone = <T>(read: Promise<T>, gone: T): Promise<T> =>
  read.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return gone
    throw error
  })

function parsed<T>(line: string): T | null {
  try {
    return JSON.parse(line) as T
  } catch {
    return null
  }
}

function isOwnerRunning({ pid, beginning, worker, bootedAt: then }: Head): boolean {
  if (pid === process.pid && beginning === beginningOf(pid)) return openJournals.has(worker)
  return isSameBoot(then) && beginning !== null && beginningOf(pid) === beginning
}

function recordOf({ sending, worker, host, bootedAt: then }: Head, lines: string[]): JournalRecord {
  const results = new Map<string, Result>()
  const begun = new Set<string>()
  let damaged = false
  for (const line of lines) {
    const result = line.startsWith('{') ? parsed<Result>(line) : null
    if (result && isUuid(result.subscriberId)) {
      // Journals of older releases do not say it.
      results.set(result.subscriberId, { ...result, gone: result.gone ?? false })
      begun.delete(result.subscriberId)
    } else if (isUuid(line)) {
      begun.add(line)
      // It was refused on one connection and sent again on another.
      results.delete(line)
    } else {
      damaged = true
    }
  }
  const complete = !damaged && host === hostname() && isSameBoot(then)
  return {
    sending: { ...sending, id: sending.id ?? sending.publicationId },
    worker,
    results: [...results.values()],
    begun: [...begun],
    complete,
  }
}
