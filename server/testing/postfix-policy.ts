import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { portOf } from './port.ts'

/** One envelope that Postfix asks about, by attribute (SMTPD_POLICY_README). */
type PolicyRequest = ReadonlyMap<string, string>

export interface PolicyServer {
  /** How Postfix is told to ask it. */
  restriction: string
  stop(): Promise<void>
}

/** What to do with an envelope: an action of access(5). */
export type Decide = (request: PolicyRequest) => string

/** A policy service for Postfix. */
export async function startPolicyServer(decide: Decide): Promise<PolicyServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)).setEncoding('utf8'))
    let heard = ''
    socket.on('error', () => {})
    socket.on('data', (text) => {
      const requests = `${heard}${text}`.split('\n\n')
      heard = requests.pop() ?? ''
      for (const request of requests) socket.write(`action=${decide(attributesOf(request))}\n\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    restriction: `check_policy_service inet:127.0.0.1:${portOf(server)}`,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const attributesOf = (request: string): PolicyRequest =>
  new Map(request.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
