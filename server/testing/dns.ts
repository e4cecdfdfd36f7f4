import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { type Answer, decode, encode, type Packet, type Question, streamDecode, streamEncode } from 'dns-packet'
import { portOf } from './port.ts'

/** What a name server says of a name: records by type, that it cannot say (`servfail`), or nothing at all. */
export type Zone = Record<string, ZoneEntry>
type ZoneEntry =
  | 'servfail'
  | 'silence'
  | { TXT?: string[]; MX?: [number, string][]; A?: string[]; AAAA?: string[]; PTR?: string[]; CNAME?: string }

export interface TestDns {
  /** As DNS_SERVERS takes it. */
  server: string
  /** May be changed at any time; a name that is not in it does not exist. */
  zone: Zone
  /** What was asked, as `TXT example.org`. */
  asked: string[]
  stop(): Promise<void>
}

const MAX_UDP_BYTES = 512
const NXDOMAIN = 3
const SERVFAIL = 2
const AUTHORITATIVE = 0x0400
const TRUNCATED = 0x0200

/** A name server on loopback, by UDP and, for what does not fit, by TCP. */
export async function startTestDns(zone: Zone = {}): Promise<TestDns> {
  const asked: string[] = []
  const dns: Pick<TestDns, 'zone' | 'asked'> = { zone, asked }
  const udp = createSocket('udp4')
  udp.on('message', (message, from) => {
    const reply = replyTo(dns, decode(message))
    if (!reply) return
    const whole = encode(reply)
    const short = encode({ ...reply, answers: [], flags: (reply.flags ?? 0) | TRUNCATED })
    udp.send(whole.length > MAX_UDP_BYTES ? short : whole, from.port, from.address)
  })
  const sockets = new Set<Socket>()
  const tcp = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes: Buffer) => {
      const reply = replyTo(dns, streamDecode(bytes) as Packet)
      if (reply) socket.end(streamEncode(reply))
    })
  })
  const port = await listenOnBoth(tcp, udp)
  return {
    server: `127.0.0.1:${port}`,
    asked,
    get zone() {
      return dns.zone
    },
    set zone(next) {
      dns.zone = next
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => tcp.close(() => udp.close(done)))
    },
  }
}

/** A port that is free for one of the two may be somebody else's for the other: then another is taken. */
async function listenOnBoth(tcp: Server, udp: UdpSocket): Promise<number> {
  for (;;) {
    tcp.listen(0, '127.0.0.1')
    await once(tcp, 'listening')
    const port = portOf(tcp)
    udp.bind(port, '127.0.0.1')
    try {
      await once(udp, 'listening')
      return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      await new Promise((done) => tcp.close(done))
    }
  }
}

function replyTo({ zone, asked }: Pick<TestDns, 'zone' | 'asked'>, query: Packet): Packet | null {
  const [question] = query.questions ?? []
  if (!question) return null
  const name = question.name.toLowerCase()
  asked.push(`${question.type} ${name}`)
  const entry = zone[name]
  if (entry === 'silence') return null
  const flags = AUTHORITATIVE | (entry === undefined ? NXDOMAIN : 0) | (entry === 'servfail' ? SERVFAIL : 0)
  return {
    type: 'response',
    ...(query.id !== undefined && { id: query.id }),
    flags,
    questions: [question],
    answers: answersTo(zone, question, name),
  }
}

function answersTo(zone: Zone, question: Question, name: string): Answer[] {
  const entry = zone[name]
  if (entry === undefined || typeof entry === 'string') return []
  if (entry.CNAME) {
    const alias: Answer = { type: 'CNAME', name, ttl: 0, data: entry.CNAME }
    return [alias, ...answersTo(zone, question, entry.CNAME)]
  }
  switch (question.type) {
    case 'TXT':
      return (entry.TXT ?? []).map((text) => ({ type: 'TXT', name, ttl: 0, data: text.match(/.{1,255}/gs) ?? [''] }))
    case 'MX':
      return (entry.MX ?? []).map(([preference, exchange]) => ({
        type: 'MX',
        name,
        ttl: 0,
        data: { preference, exchange },
      }))
    case 'A':
    case 'AAAA':
    case 'PTR': {
      const { type } = question
      return (entry[type] ?? []).map((data): Answer => ({ type, name, ttl: 0, data }))
    }
    default:
      return []
  }
}
