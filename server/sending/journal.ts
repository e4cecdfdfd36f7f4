import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { readdir, readFile, rename } from 'node:fs/promises'
import { hostname, uptime } from 'node:os'
import { join } from 'node:path'
import { isUuid } from '../database/ids.ts'
import { beginningOf } from '../database/process.ts'
import type { PublicationKey, Result, Sending } from './sending.ts'

/** What a journal tells of one worker's claims. */
export interface Account {
  sending: Sending
  worker: string
  /** Messages that were answered, and what became of them. */
  results: Result[]
  /** Messages whose text began to leave and whose answer nobody heard. */
  begun: string[]
  /** False after the machine stopped or when a line is damaged: whoever is not in it may have been written to. */
  complete: boolean
}

interface Head {
  /** Without an `id` in journals of before sendings had one: a publication’s first sending has that of the publication. */
  sending: PublicationKey & { id?: string }
  worker: string
  host: string
  pid: number
  /** Tells the process from a later one with the same id. */
  beginning: string | null
  bootedAt: number
}

/** Seconds since 1970. A clock that was set right meanwhile looks like another boot, which is the careful reading. */
const bootedAt = (): number => Math.round(Date.now() / 1000 - uptime())
const isSameBoot = (then: number): boolean => Math.abs(then - bootedAt()) <= 5

const thisProcess = {
  host: hostname(),
  pid: process.pid,
  beginning: beginningOf(process.pid),
  bootedAt: bootedAt(),
} as const

/** Workers of this process that are at work. */
const atWork = new Set<string>()

/**
 * A worker's notes about the claims it holds, on local disk: a line before the text of a message leaves and a line with
 * its answer. So a process that was killed is unsure of at most one message an open connection, not of all it had claimed.
 *
 * A line is in the file when the call returns, whatever then happens to the process. It is not flushed to the disk: after
 * a power cut `Account.complete` is false instead.
 */
export class Journal {
  readonly #file: string
  readonly #descriptor: number
  readonly #head: Head

  constructor(folder: string, sending: Sending, worker: string) {
    mkdirSync(folder, { recursive: true })
    this.#head = { sending, worker, ...thisProcess }
    this.#file = join(folder, `${worker.replaceAll(/[^\w.-]/g, '_')}.log`)
    this.#descriptor = openSync(this.#file, 'a', 0o600)
    atWork.add(worker)
    this.#write(JSON.stringify(this.#head))
  }

  begun(subscriberId: string): void {
    this.#write(subscriberId)
  }

  answered(result: Result): void {
    this.#write(JSON.stringify(result))
  }

  /** Ends it; `settled` when everything is in the database. Otherwise it stays, to be read by the next process. */
  close(settled: boolean): void {
    closeSync(this.#descriptor)
    if (settled) rmSync(this.#file, { force: true })
    atWork.delete(this.#head.worker)
  }

  #write = (line: string): void => {
    writeSync(this.#descriptor, `${line}\n`)
  }
}

/**
 * The journals in a folder whose process is gone; those of another host when `isOver` says that its worker's time is up.
 * `settle` puts one into the database, and then its file is removed.
 */
export async function readJournals(
  folder: string,
  isOver: (worker: string) => Promise<boolean>,
  settle: (account: Account) => Promise<void>,
): Promise<void> {
  for (const name of await filesIn(folder)) {
    const file = join(folder, name)
    // Another process of this folder may have settled it a moment ago.
    const text = await unlessGone(readFile(file, 'utf8'), '')
    const [head, ...lines] = text.split('\n').slice(0, -1)
    // Being made at this moment.
    if (head === undefined) continue
    const owner = parsed<Head>(head)
    if (!owner) {
      // Nobody knows whose it was: its claims end with their lease, and are uncertain.
      await rename(file, `${file}.unreadable`)
      continue
    }
    if (owner.host === hostname() ? isAtWork(owner) : !(await isOver(owner.worker))) continue
    await settle(accountOf(owner, lines))
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

function isAtWork({ pid, beginning, worker, bootedAt: then }: Head): boolean {
  if (pid === process.pid && beginning === beginningOf(pid)) return atWork.has(worker)
  return isSameBoot(then) && beginning !== null && beginningOf(pid) === beginning
}

function accountOf({ sending, worker, host, bootedAt: then }: Head, lines: string[]): Account {
  const results = new Map<string, Result>()
  const begun = new Set<string>()
  let damaged = false
  for (const line of lines) {
    const result = line.startsWith('{') ? parsed<Result>(line) : null
    if (result && isUuid(result.subscriberId)) {
      results.set(result.subscriberId, result)
      begun.delete(result.subscriberId)
    } else if (isUuid(line)) {
      begun.add(line)
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
