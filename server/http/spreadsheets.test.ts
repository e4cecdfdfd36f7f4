import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { addOptInCampaign } from '../testing/opt-in.ts'
import { addPublication } from '../testing/publication.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: { enum?: string[] }
}

let server: TestNewsletter
let files: { path: string; parameters: Parameter[] }[]
beforeAll(async () => {
  server = await startTestNewsletter()
  const { paths } = (await server.inject('/api/openapi.json')).json<{
    paths: Record<string, { get?: { parameters?: Parameter[] } }>
  }>()
  files = Object.entries(paths).flatMap(([path, { get }]) =>
    get && path.endsWith('.csv') ? [{ path, parameters: get.parameters ?? [] }] : [],
  )
})
afterAll(() => server?.stop())

test('every file that members download is for French and English spreadsheets, and stays as it was for programs', async () => {
  const ids = await madeIds()
  expect(files.length).toBeGreaterThanOrEqual(14)
  for (const { path, parameters } of files) {
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name)
    const needed = parameters.filter((one) => one.in === 'query' && one.required)
    const query = new URLSearchParams(needed.map(({ name, schema }) => [name, schema.enum?.[0] ?? '']))
    const read = async (sheet: string | null) => {
      if (sheet) query.set('sheet', sheet)
      const answer = await server.owner.call('GET', `${address}?${query}`)
      expect(answer.statusCode, `${address}?${query}: ${answer.body}`).toBe(200)
      return answer.body.split('\n')[0] ?? ''
    }
    const [plain, english, french] = [await read(null), await read('en'), await read('fr')]
    expect(plain.includes(','), path).toBe(true)
    expect(english, path).toBe(`\uFEFF${plain}`)
    expect(french, path).toBe(`\uFEFF${plain.replaceAll(',', ';')}`)
  }
})

/** The ids that the addresses of files have. */
async function madeIds(): Promise<Record<string, string>> {
  const { newsletterId, owner, path, context } = server
  const link = await owner.call('POST', `${path}/links`, { target: 'https://example.org/' })
  const begun = await owner.call('POST', `${path}/imports`, { fileName: 'people.csv', bytes: 1 })
  return {
    newsletterId,
    importId: begun.json<{ id: string }>().id,
    linkId: link.json<{ id: string }>().id,
    campaignId: await addOptInCampaign(server),
    publicationId: await addPublication(context.db, { newsletterId }),
  }
}
