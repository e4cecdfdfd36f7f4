import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpointsOf, refuseLeftOut, withoutEndpoints } from './studio-contracts.ts'

const root = join(import.meta.dirname, '..')

const contract = `import { z } from 'zod'
export const limits = { name: 120 } as const
export const Link = z.object({ id: z.string() })
const trimmed = (text: string) => text.trim()
export const getLink = endpoint('GET /api/links/:linkId', { summary: 'A link', reply: Link })
export const changeLink = endpoint('PATCH /api/links/:linkId', { body: Link, reply: getLink.reply })
`

test('the owner app calls every endpoint by the method and the path of its contract', async () => {
  const files = globSync(join(root, 'server', '**', 'contract.ts'))
  expect(files.length).toBeGreaterThan(30)
  for (const file of files) {
    const exported: Record<string, unknown> = await import(file)
    const endpoints = Object.entries(exported).flatMap(([name, value]) =>
      isEndpoint(value) ? `export const ${name} = ${JSON.stringify({ method: value.method, path: value.path })}` : [],
    )
    const built = endpointsOf(readFileSync(file, 'utf8'), file)
    expect(built.split('\n').filter(Boolean).sort()).toEqual(endpoints.sort())
  }
})

test('what is beside the endpoints of a contract can be left out one by one', () => {
  expect(withoutEndpoints(contract, 'contract.ts').trim()).toBe(`import { z } from 'zod'
export const limits = /* @__PURE__ */ (() => ({ name: 120 } as const))()
export const Link = /* @__PURE__ */ (() => (z.object({ id: z.string() })))()
const trimmed = (text: string) => text.trim()`)
})

test('what a build leaves out is read by no module of the owner app', () => {
  const refused = (code: string) => () => refuseLeftOut(`import { getLink } from './contract.ts'\n${code}`, 'page.tsx')
  expect(refused('getLink.reply.parse(answer)')).toThrow('page.tsx reads getLink.reply')
  expect(refused('type Answer = z.infer<typeof getLink.reply>; call(getLink, {}); other.reply')).not.toThrow()
  expect(() => refuseLeftOut(contract, 'contract.ts')).not.toThrow()
  expect(() => refuseLeftOut(`${contract}export const Answer = getLink.reply`, 'contract.ts')).toThrow('getLink.reply')
})

test('every endpoint is one that the build sees', () => {
  const acts = `const act = (route: string) => endpoint(route, {})\nexport const pause = act('POST /api/pause')`
  expect(() => refuseLeftOut(acts, 'contract.ts')).toThrow('contract.ts makes an endpoint')
})

const isEndpoint = (value: unknown): value is { method: string; path: string } =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value
