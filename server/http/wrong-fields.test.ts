import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import en from '../../i18n/en/errors.ts'
import fr from '../../i18n/fr/errors.ts'
import { errorStatus } from '../errors.ts'
import type { Language } from '../languages.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  pattern?: string
  maxLength?: number
  properties?: Record<string, Schema>
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

interface Reference {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

/** Every shape that a body may have, one for each branch of its unions. */
function shapesOf(schema: Schema, reference: Reference): Schema[] {
  if (schema.$ref)
    return shapesOf(reference.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}, reference)
  const branches = schema.anyOf ?? schema.oneOf ?? schema.allOf
  return branches ? branches.flatMap((one) => shapesOf(one, reference)) : [schema]
}

/** What no field of this shape takes, or null where everything is taken. */
function wrongFor(schema: Schema, reference: Reference): unknown {
  const types = new Set(shapesOf(schema, reference).map(({ type, const: only }) => type ?? typeof only))
  if (types.has('undefined')) return null
  return types.has('object') ? 7 : { no: ['field', 'takes', 'this'] }
}

/** The values that say which branch of a union is meant. */
const choiceIn = ({ properties = {} }: Schema): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, { const: only, enum: [first] = [only] }]) =>
      first === undefined ? [] : [[name, first]],
    ),
  )

function addressOf(path: string, { parameters = [] }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'newsletterId') return server.newsletterId
    const schema = parameters.find((one) => one.in === 'path' && one.name === name)?.schema
    if (schema?.type === 'integer' || schema?.type === 'number') return '999999'
    if (schema?.pattern?.includes('{32}')) return '0'.repeat(32)
    return '00000000-0000-7000-8000-000000000000'.slice(0, schema?.maxLength)
  })
}

test('a wrong value in any field of any call is answered with the name of that field and a sentence', async () => {
  const reference: Reference = (await server.stranger('GET', '/api/openapi.json')).json()
  const unsaid: string[] = []
  let tried = 0
  for (const [path, operations] of Object.entries(reference.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const schema = operation.requestBody?.content['application/json']?.schema
      for (const shape of schema ? shapesOf(schema, reference) : []) {
        for (const [field, of] of Object.entries(shape.properties ?? {})) {
          const wrong = wrongFor(of, reference)
          if (wrong === null) continue
          const body = { ...choiceIn(shape), [field]: wrong }
          const call = server.owner.call
          const answer = await call(method.toUpperCase() as InjectOptions['method'], addressOf(path, operation), body)
          const { code, fields = {} } = answer.json().error ?? {}
          const said = Object.entries<string>(fields).find(([at]) => at === field || at.startsWith(`${field}.`))?.[1]
          tried += 1
          if (code !== 'invalid' || !said || /^\w+$/.test(said))
            unsaid.push(`${method} ${path} ${field}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
        }
      }
    }
  }
  expect(unsaid).toEqual([])
  expect(tried).toBeGreaterThan(250)
})

const catalogues: Record<Language, typeof en> = { en, fr }

test.each(Object.entries(catalogues))('every error has a whole sentence of its own in %s', (_, errors) => {
  const sentences: Record<string, unknown> = errors
  const unsaid = Object.keys(errorStatus).filter((code) => !/\s.*[.!?}]$/s.test(String(sentences[code] ?? '')))
  expect(unsaid).toEqual([])
  const faults = Object.entries(errors.fields).filter(([, sentence]) => !/\s.*[.!?]$/s.test(sentence))
  expect(faults).toEqual([])
})
