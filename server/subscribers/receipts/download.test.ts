import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../root.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { ReceiptChainer } from './chainer.ts'
import { leafOf, nextHash, personOf, type ReceiptFacts } from './leaf.ts'

let server: TestNewsletter
let folder: string
beforeAll(async () => {
  server = await startTestNewsletter()
  folder = mkdtempSync(join(tmpdir(), 'tirage-receipts-'))
  const script = /```js\n([^`]+(?:`[^`]+)*?)\n```/.exec(readFileSync(join(projectRoot, 'docs', 'receipts.md'), 'utf8'))
  writeFileSync(join(folder, 'verify.mjs'), script?.[1] ?? '')
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server?.stop()
})

/** Runs the script of docs/receipts.md. */
function verify(lines: string): Promise<{ said: string; ok: boolean }> {
  const file = join(folder, 'receipts.jsonl')
  writeFileSync(file, lines)
  return new Promise((resolve) => {
    execFile(process.execPath, [join(folder, 'verify.mjs'), file], (error, said, wrong) =>
      resolve({ said: said + wrong, ok: error === null }),
    )
  })
}

const add = (email: string, words?: string) => server.owner.call('POST', `${server.path}/subscribers`, { email, words })
const chain = () => new ReceiptChainer(server.context).drain()
const download = async () => {
  await chain()
  return (await server.owner.call('GET', `${server.path}/receipts.jsonl`)).body
}

test('a newsletter without receipts downloads an empty chain', async () => {
  expect(await download()).toBe('{"head":null}\n')
  expect(await verify(await download())).toEqual({ said: '0 receipts in order, head null\n', ok: true })
})

test('the script of the documentation verifies what the owner downloads, and finds each change', async () => {
  const erased = (await add('erased@example.org')).json<{ id: string }>().id
  await add('ada@example.org', '=HYPERLINK("x"), “oui”\u2028\\')
  await add('grace@example.org')
  await download()
  await server.owner.call('DELETE', `${server.path}/subscribers/${erased}`)
  const lines = await download()
  const rows = lines.trimEnd().split('\n')
  expect(rows).toHaveLength(4)
  expect(await verify(lines)).toMatchObject({
    said: expect.stringMatching(/^3 receipts in order, head \w{64}\n$/),
    ok: true,
  })
  const [gone = '', ada = '', grace = '', head = ''] = rows
  expect(JSON.parse(gone)).toMatchObject({ position: 1, receipt: null, person: null, words: null, salt: null })
  const broken: [string[], string][] = [
    [[gone, ada.replace('oui', 'non'), grace, head], 'place 2: altered'],
    [[gone, ada.replace(/"at":"\d/, '"at":"1'), grace, head], 'place 2: altered'],
    [[gone, grace, head], 'place 3: does not follow'],
    [[gone, grace, ada, head], 'place 3: does not follow'],
    [[gone.replace(/"leaf":"./, '"leaf":"x'), ada, grace, head], 'place 1: broken'],
    [[gone, ada, head], 'not the head'],
    [[gone, ada, grace], 'the end is missing'],
  ]
  for (const [given, said] of broken)
    expect(await verify(`${given.join('\n')}\n`)).toEqual({ said: expect.stringContaining(said), ok: false })
})

test('one subscriber’s receipts come with what verifies them, and without the subscriber’s id', async () => {
  const { id } = (await add('one@example.org', 'I said so')).json<{ id: string }>()
  const path = `${server.path}/subscribers/${id}/receipts`
  expect((await server.owner.call('GET', path)).json().receipts).toMatchObject([{ position: null, leaf: null }])
  await chain()
  const answer = await server.owner.call('GET', path)
  const { head, receipts } = answer.json()
  expect(receipts).toMatchObject([
    { act: 'asked', words: 'I said so', beneficiary: 'Low Water', position: head.position },
  ])
  const [{ salt, previous, leaf, hash, position: _, ...facts }] = receipts
  const bytes = (hex: string) => Buffer.from(hex, 'hex')
  expect(leafOf(bytes(salt), facts as ReceiptFacts).toString('hex')).toBe(leaf)
  expect(nextHash(bytes(previous), bytes(leaf)).toString('hex')).toBe(hash)
  expect(head.hash).toBe(hash)
  const secretId = server.context.shownIds.read(id)
  expect(answer.body).not.toContain(secretId)
  // Who knows the id, as the subscriber does, sees that the receipt is theirs.
  expect(personOf(bytes(salt), secretId)).toBe(facts.person)
  expect(answer.headers['cache-control']).toBe('no-store')
  const nobody = server.context.shownIds.show('0192c0de-0000-7000-8000-000000000000')
  expect((await server.owner.call('GET', `${server.path}/subscribers/${nobody}/receipts`)).statusCode).toBe(404)
})

test('the CSV has every receipt, no formula and no subscriber’s id, and each download is in the audit', async () => {
  const { id } = (await add('csv@example.org', '=1+1, "quoted"')).json<{ id: string }>()
  await chain()
  const answer = await server.owner.call('GET', `${server.path}/receipts.csv`)
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  const lines = answer.body.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^position,at,act,words,.*,previous,leaf,hash$/)
  expect(answer.body).toContain(`,"'=1+1, ""quoted""",own,en,newsletter,Low Water,`)
  expect(answer.body).not.toContain(server.context.shownIds.read(id))
  expect(lines).toHaveLength((await download()).trimEnd().split('\n').length)
  const audit = await server.owner.call('GET', `${server.path}/audit`)
  const acts = audit.json<{ rows: { act: string }[] }>().rows.filter(({ act }) => act === 'receipts_exported')
  expect(acts.length).toBeGreaterThanOrEqual(5)
})

test('who may not export subscribers downloads no receipts', async () => {
  const editor = await server.asMember(server.newsletterId, 'editor')
  for (const path of ['/receipts.csv', '/receipts.jsonl', `/subscribers/${'0'.repeat(32)}/receipts`])
    expect((await editor.call('GET', server.path + path)).statusCode).toBe(403)
  expect((await server.stranger('GET', `${server.path}/receipts.jsonl`)).statusCode).toBe(401)
})

test('a chain of several pages is one stream', async () => {
  const { db } = server.context
  const newsletterId = server.newsletterId
  const ids = await server.addSubscribers(Array.from({ length: 1_200 }, (_, n) => `many${n}@example.org`))
  await db
    .insertInto('consent')
    .values(
      ids.map((id) => ({
        newsletter_id: newsletterId,
        id,
        subscriber_id: id,
        act: 'given' as const,
        wording: 'Yes',
        wording_version: 'own',
        language: 'en' as const,
        means: 'import',
      })),
    )
    .execute()
  await server.work()
  expect(await verify(await download())).toMatchObject({ ok: true, said: expect.stringMatching(/^12\d\d receipts/) })
})
