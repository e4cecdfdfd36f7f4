import { afterAll, beforeAll, expect, test } from 'vitest'
import { importFile } from '../../testing/import-file.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { ReceiptChainer } from '../receipts/chainer.ts'
import { verifyChain } from '../receipts/verify.ts'
import { SubscriberLinks } from '../subscriber-links.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

const find = (email: string) =>
  server.context.db.selectFrom('subscriber').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

async function receiptOf(email: string) {
  const id = server.context.shownIds.show((await find(email)).id)
  const { receipts } = (await server.owner.call('GET', `${server.path}/subscribers/${id}`)).json()
  return receipts[0]
}

async function ownPage(email: string, language: string): Promise<string> {
  const { config, signer } = server.context
  const token = new SubscriberLinks(config.secret, signer).fresh(await find(email), server.context.now())
  return (await server.inject({ url: `/me/${token}?lang=${language}` })).body
}

test('a receipt is of the day of the import, and says beside it the day that the file has', async () => {
  const file = [
    'email;Inscrit le;statut;parti le',
    'dated@example.org;23/07/2025;actif;',
    'undated@example.org;;actif;',
    'gone@example.org;23/07/2025;parti;14/08/2025',
    'returned@example.org;23/07/2025;rebond;14/08/2025',
  ]
  const targets = ['email', 'joined', 'status', 'left'].map((to) => ({ to }))
  const done = await importFile(server, file.join('\n'), { targets, dayOrder: 'day_first' })
  expect(done).toMatchObject({ state: 'done', counts: { added: 2, keptAway: 2 } })
  const proof = (line: number) => `import ${done.id}, own_newsletter, line ${line}`
  expect(await receiptOf('dated@example.org')).toMatchObject({
    ...{ act: 'given', proof: `${proof(2)}, dated 2025-07-23`, dated: '2025-07-23' },
    at: expect.not.stringContaining('2025-07'),
  })
  expect(await receiptOf('undated@example.org')).toMatchObject({ act: 'given', proof: proof(3), dated: null })
  const gone = { act: 'withdrawn', proof: `${proof(4)}, dated 2025-08-14`, dated: '2025-08-14' }
  expect(await receiptOf('gone@example.org')).toMatchObject({
    ...gone,
    wording: expect.stringContaining('no longer wanted mail'),
  })
  // Nobody said no whose mail came back.
  expect(await receiptOf('returned@example.org')).toMatchObject({
    wording: expect.stringContaining('mail to this address came back'),
  })

  // What a file says is no answer of a server, by which many would be restored together.
  const id = server.context.shownIds.show((await find('returned@example.org')).id)
  const { suppressions } = (await server.owner.call('GET', `${server.path}/subscribers/${id}`)).json()
  expect(suppressions).toMatchObject([{ reason: 'bounced', words: '', imported: true, lifted: null }])
  expect((await server.owner.call('GET', `${server.path}/suppressions/groups?atLeast=1`)).json()).toEqual({
    groups: [],
  })

  const dated = await ownPage('dated@example.org', 'en')
  expect(dated).toMatch(/Noted by an import on [^<·]+ · day of the yes, according to the file: 23\u00a0July 2025/)
  expect(await ownPage('dated@example.org', 'fr')).toContain(
    'jour du oui, selon le fichier\u00a0: 23\u00a0juillet 2025',
  )
  expect(await ownPage('undated@example.org', 'en')).toMatch(/Noted by an import on [^<·]+ · an earlier yes</)

  await new ReceiptChainer(server.context).drain()
  const verified = await verifyChain(server.context.db, server.context.signer, server.newsletterId)
  expect(verified).toMatchObject({ receipts: 4, faults: 0 })
})

test('a row of which several things cannot be kept is in the report with each of them, and counted once', async () => {
  const file = [
    'email,langue,inscrit',
    'two@example.org,de,2099-01-01',
    'one@example.org,fr,2099-01-01',
    'ada,de,2099-01-01',
  ]
  const targets = ['email', 'language', 'joined'].map((to) => ({ to }))
  const done = await importFile(server, file.join('\n'), { targets })
  expect(done.counts).toMatchObject({
    ...{ rows: 3, added: 2, refused: 1 },
    reasons: { other_language: 1, time_to_come: 2, not_an_address: 1 },
  })
  const { report } = (await server.owner.call('GET', `${server.path}/imports/${done.id}`)).json()
  expect(report).toHaveLength(4)
  expect(report).toEqual(
    expect.arrayContaining([
      { line: 2, reason: 'other_language', cell: 'de' },
      { line: 2, reason: 'time_to_come', cell: '2099-01-01' },
      { line: 3, reason: 'time_to_come', cell: '2099-01-01' },
      { line: 4, reason: 'not_an_address', cell: 'ada' },
    ]),
  )
})
