import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { descriptorProbe } from '../http/probes.ts'
import { shortageIn } from '../shortage.ts'
import { codeOf } from '../start-error.ts'
import { Decoder } from './decoder.ts'

const limits = '/proc/self/limits'
const decoder = new Decoder()
const decoded = () =>
  decoder
    .decode({ kind: 'normalise' }, async () => Buffer.alloc(10))
    .then(
      () => 'decoded',
      (error: unknown) => shortageIn(error) ?? codeOf(error),
    )

const program = 'prlimit'
/** Changes how many files this process may open, without what it may at most. */
const allow = (most: number | string) => execFileSync(program, ['--pid', String(process.pid), `--nofile=${most}:`])

const hardLimit = existsSync(limits)
  ? (/Max open files\s+\d+\s+(\d+)/.exec(readFileSync(limits, 'utf8'))?.[1] ?? '')
  : ''

const hasPrlimit = process.platform === 'linux' && canRun()
function canRun(): boolean {
  try {
    execFileSync(program, ['--version'])
    return true
  } catch {
    console.log('skipped: without prlimit the number of descriptors cannot be limited')
    return false
  }
}

test.runIf(hasPrlimit)(
  'a process without descriptors says so, is not ended by it, and goes on when there are some',
  async () => {
    expect([await descriptorProbe.try(), await decoded()]).toEqual([null, 'image_invalid'])
    const taken: number[] = []
    allow(readdirSync('/proc/self/fd').length + 20)
    try {
      // One is left for the trial itself.
      takeAll(taken)
      closeSync(taken.pop() ?? 0)
      expect(await descriptorProbe.try()).toBe('descriptors')
      expect(await decoded()).toBe('busy')
    } finally {
      for (const each of taken) closeSync(each)
      allow(hardLimit)
    }
    expect([await descriptorProbe.try(), await decoded()]).toEqual([null, 'image_invalid'])
  },
  60_000,
)

function takeAll(taken: number[]): void {
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'))
  } catch {
    // There are no more.
  }
}
