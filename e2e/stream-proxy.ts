import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { portOf } from '../server/testing/port.ts'

/** What becomes of a stream that is asked for while it is cut. */
export const refusals = ['drop', 'refuse', 'hold'] as const
type Refusal = (typeof refusals)[number]

export interface StreamProxy {
  url: string
  /** Breaks every open stream of live events. Until `mend`, new ones are dropped, refused by a proxy’s 502, or answered only afterwards. */
  cut(how: Refusal): void
  mend(): void
  /** Whether the server has answered a stream that is still open. */
  passes(): boolean
  stop(): Promise<void>
}

/** The wire between a browser and the server: all passes, but streams of live events can be cut. */
export async function startStreamProxy(server: string): Promise<StreamProxy> {
  const open = new Set<ServerResponse>()
  const answered = new Set<ServerResponse>()
  let held: (() => void)[] = []
  let refusal: Refusal | null = null

  const pass = (asked: IncomingMessage, answer: ServerResponse) => {
    const { method, headers } = asked
    const onward = request(new URL(asked.url ?? '/', server), { method, headers, agent: false }, (came) => {
      answer.writeHead(came.statusCode ?? 502, came.headers)
      if (open.has(answer) && came.statusCode === 200) answered.add(answer)
      came.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    asked.pipe(onward)
  }
  const passStream = (asked: IncomingMessage, answer: ServerResponse) => {
    if (answer.destroyed) return
    open.add(answer)
    answer.on('close', () => {
      open.delete(answer)
      answered.delete(answer)
    })
    pass(asked, answer)
  }

  const proxy = createServer((asked, answer) => {
    if (!asked.url?.endsWith('/live')) pass(asked, answer)
    else if (refusal === 'drop') answer.destroy()
    else if (refusal === 'refuse') answer.writeHead(502).end()
    else if (refusal === 'hold') held.push(() => passStream(asked, answer))
    else passStream(asked, answer)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${portOf(proxy)}`,
    cut(how) {
      refusal = how
      for (const answer of open) answer.destroy()
    },
    mend() {
      refusal = null
      for (const go of held) go()
      held = []
    },
    passes: () => answered.size > 0,
    stop() {
      proxy.closeAllConnections()
      return new Promise((resolve) => proxy.close(() => resolve()))
    },
  }
}
