import { connect, type Socket } from 'node:net'

/** The input of one run of the load generator, as JSON in its first argument. */
export interface Load {
  port: number
  /** Open at the same time and kept alive, each with one request at a time. */
  connections: number
  seconds: number
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  /** `{n}` is replaced by a number that is different for each request. In `path` it is one of `links`, in no order. */
  body?: string
  links?: number
}

export interface Result {
  answered: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  statuses: Record<string, number>
  /** Connections that the server closed before its answer. */
  cut: number
}

/** Raw sockets and a minimum of HTTP, so that the server is measured and not the client. */
function run(load: Load): Promise<Result> {
  const begun = performance.now()
  const end = begun + load.seconds * 1_000
  const times: number[] = []
  const statuses: Record<string, number> = {}
  const next = requests(load)
  let cut = 0
  const until = Array.from({ length: load.connections }, () => requestInLoop())
  return Promise.all(until).then(() => {
    times.sort((a, b) => a - b)
    const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(2))
    const perSecond = times.length / ((performance.now() - begun) / 1_000)
    return { answered: times.length, perSecond: Math.round(perSecond), p50: at(0.5), p99: at(0.99), statuses, cut }
  })

  function requestInLoop(): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(load.port, '127.0.0.1').setNoDelay(true)
      let asked = 0
      let received: Buffer = Buffer.alloc(0)
      const ask = () => {
        asked = performance.now()
        socket.write(next())
      }
      const lost = () => {
        cut++
        resolve()
      }
      socket.on('connect', ask).on('error', lost).on('end', lost)
      socket.on('data', (piece: Buffer) => {
        received = received.length === 0 ? piece : Buffer.concat([received, piece])
        const length = answerLength(received)
        if (length === 0 || received.length < length) return
        const status = received.toString('latin1', 9, 12)
        received = received.subarray(length)
        times.push(performance.now() - asked)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (performance.now() < end) ask()
        else close(socket, resolve, lost)
      })
    })
  }
}

function close(socket: Socket, closed: () => void, lost: () => void): void {
  socket.off('end', lost).on('close', closed)
  socket.end()
}

/** The number of bytes of the whole answer, or 0 while its head is incomplete. */
function answerLength(received: Buffer): number {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return 0
  const length = /content-length: (\d+)/i.exec(received.toString('latin1', 0, head))?.[1]
  if (length === undefined) throw new Error(`an answer without a length:\n${received.toString('latin1', 0, head)}`)
  return head + 4 + Number(length)
}

function requests({ method, path, headers = {}, body, port, links }: Load): () => string {
  const fixed = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  if (links !== undefined) {
    const [before, after] = path.split('{n}')
    const rest = `${after} HTTP/1.1\r\n${fixed.join('')}\r\n`
    return () => `${method} ${before}${1 + Math.floor(Math.random() * links)}${rest}`
  }
  const head = `${method} ${path} HTTP/1.1\r\n${fixed.join('')}`
  if (body === undefined) return () => `${head}\r\n`
  let n = Date.now() * 1_000
  return () => {
    const filled = body.replaceAll('{n}', String(n++))
    return `${head}content-type: application/x-www-form-urlencoded\r\ncontent-length: ${Buffer.byteLength(filled)}\r\n\r\n${filled}`
  }
}

if (import.meta.main) {
  const load: Load = JSON.parse(process.argv[2] ?? '')
  process.stdout.write(JSON.stringify(await run(load)))
}
