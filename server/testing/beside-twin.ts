import { expect } from 'vitest'
import type { Session } from './app.ts'
import type { TestNewsletter } from './newsletter.ts'
import { MARK, type Twin, twinOf } from './twin.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
type Answer = Awaited<ReturnType<Session['call']>>

export interface BesideTwin {
  twin: Twin
  /** What succeeded so far, as `PATCH /tags/:tagId`. */
  called: Set<string>
  /** A call of the owner that changes something. It must succeed, show nothing of the twin and leave it as it is. */
  change(method: Method, rest: string, body?: unknown): Promise<Answer>
  /** A call of the owner that only reads. It must answer the same beside the twin and without it. */
  read(rest: string, body?: unknown): Promise<Answer>
  /** Anything else that must leave the twin as it is. Workers find nothing to do for the twin. */
  act<T>(what: string, act: () => Promise<T>): Promise<T>
}

/** Rates go on with the clock. */
const lasting = (body: string) => body.replaceAll(/(?<="\w*erSecond":)[\d.]+/g, '…')

/** Calls in a newsletter, each beside a twin of what the newsletter is then. */
export async function besideTwin(server: TestNewsletter): Promise<BesideTwin> {
  const { context, newsletterId, owner, path } = server
  const twin = await twinOf(context, { newsletterId, ownerId: owner.userId })
  const called = new Set<string>()
  const routes = server.app.apiRoutes.map((route) => ({
    method: route.method,
    path: route.path,
    pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
  }))
  const call = async (method: Method, rest: string, body?: unknown): Promise<Answer> => {
    const answer = await owner.call(method, path + rest, body)
    const said = `${method} ${rest}: ${answer.statusCode} ${answer.body.slice(0, 300)}`
    expect(answer.statusCode, said).toBe(200)
    expect(answer.body, said).not.toContain(MARK)
    const address = (path + rest).split('?')[0] ?? ''
    // A path of words comes before one with a parameter in the same place.
    const matching = routes.filter((route) => route.method === method && route.pattern.test(address))
    const route = matching.toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)[0]
    if (route) called.add(`${route.method} ${route.path.replace('/api/newsletters/:newsletterId', '')}`)
    return answer
  }
  /** Removes it too, so that no worker finds it later. */
  const unharmed = async (what: string) => {
    expect([what, await twin.changes()]).toEqual([what, []])
    await twin.remove()
  }
  return {
    twin,
    called,
    async change(method, rest, body) {
      await twin.renew()
      const answer = await call(method, rest, body)
      await unharmed(`${method} ${rest}`)
      return answer
    },
    async read(rest, body) {
      const method = body === undefined ? 'GET' : 'POST'
      const answers = []
      for (const as of [undefined, 'busier'] as const) {
        await twin.renew(as)
        answers.push(await call(method, rest, body))
        await unharmed(`${method} ${rest}`)
      }
      const alone = await call(method, rest, body)
      for (const beside of answers) expect([rest, lasting(beside.body)]).toEqual([rest, lasting(alone.body)])
      return alone
    },
    async act(what, act) {
      await twin.renew('idle')
      const result = await act()
      await unharmed(what)
      return result
    },
  }
}
