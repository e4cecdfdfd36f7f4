import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

interface Reference {
  paths: Record<string, Record<string, { parameters?: { name: string; in: string; schema: { type?: string } }[] }>>
}

test('an id that no number of the database can be is answered as an unknown one, on every route', async () => {
  const { paths }: Reference = (await server.stranger('GET', '/api/openapi.json')).json()
  const wrong: string[] = []
  let tried = 0
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { parameters = [] }] of Object.entries(operations)) {
      const numbers = parameters.filter(({ in: place, schema }) => place === 'path' && schema.type === 'integer')
      const statusWith = async (id: string) => {
        const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
          if (name === 'newsletterId') return server.newsletterId
          return numbers.some((number) => number.name === name) ? id : 'nobody'
        })
        return (await server.owner.call(method.toUpperCase() as InjectOptions['method'], address)).statusCode
      }
      if (numbers.length === 0) continue
      const unknown = await statusWith('999999')
      for (const id of ['2147483648', '9'.repeat(15), '9'.repeat(25), '-1', 'abc', '1.5']) {
        tried += 1
        const status = await statusWith(id)
        if (status !== 404 && status !== unknown) wrong.push(`${method} ${path} with ${id}: ${status}, not ${unknown}`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(tried).toBeGreaterThan(60)
})

test('one beyond 2^31 is not found where its contract allows any number', async () => {
  const { id } = await server.draft()
  const revision = (of: number) => server.owner.call('GET', `${server.path}/publications/${id}/revisions/${of}`)
  expect((await revision(999_999)).statusCode).toBe(404)
  expect((await revision(2 ** 31)).statusCode).toBe(404)
  expect((await server.owner.call('DELETE', `${server.path}/utm-templates/${2 ** 40}`)).statusCode).toBe(404)
})
