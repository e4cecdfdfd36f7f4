import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Refusal, sentence } from './say.mjs'

/** Another Tirage may still be stopping. */
const PATIENCE_MS = 3_000

/**
 * Refuses a port that is taken before anything is installed or built, which takes a minute. Whatever else the settings say is for the
 * server to judge, which looks once more.
 */
export async function requireFreePort({ PORT = '3000', HOST, ROLE } = process.env) {
  const port = Number(PORT)
  if (ROLE === 'worker' || !Number.isInteger(port) || port < 1 || port > 65_535) return
  const deadline = Date.now() + PATIENCE_MS
  while (await isTaken(port, HOST || '127.0.0.1')) {
    if (Date.now() > deadline) throw new Refusal(sentence('portTaken', port))
    await delay(100)
  }
}

function isTaken(port, host) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', ({ code }) => resolve(code === 'EADDRINUSE'))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(false)))
  })
}
