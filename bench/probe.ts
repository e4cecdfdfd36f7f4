import { Agent, get } from 'node:http'

/**
 * Asks an address every 20 ms, whether or not the last answer has come, until its standard input ends. Prints how long the answers took in
 * milliseconds, each from the moment it was due: a server that stands still is late for all that were due meanwhile.
 */
const EVERY_MS = 20
const address = process.argv[2] ?? ''
const agent = new Agent({ keepAlive: true })
const times: number[] = []
let open = 0
let failed = 0
let due = performance.now()
let ended = false

function ask(): void {
  const from = due
  due += EVERY_MS
  open++
  const done = (ok: boolean) => {
    open--
    times.push(performance.now() - from)
    if (!ok) failed++
    if (ended && open === 0) print()
  }
  get(address, { agent }, (answer) => answer.resume().on('end', () => done(answer.statusCode === 200))).on(
    'error',
    () => done(false),
  )
}

function print(): void {
  times.sort((a, b) => a - b)
  const p99 = times[Math.floor(times.length * 0.99)] ?? 0
  console.log(JSON.stringify({ p99, longest: times.at(-1) ?? 0, asked: times.length, failed }))
}

const timer = setInterval(() => {
  while (due <= performance.now()) ask()
}, EVERY_MS)
process.stdin.resume().on('end', () => {
  clearInterval(timer)
  ended = true
  if (open === 0) print()
})
