import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkFile } from '../../testing/import-file.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

test.each([
  ['every cell', ['une@example.org', 'deux@example.org']],
  ['every second cell', ['une@example.org', 'quai 3']],
])('a column whose name does not say so is that of the addresses when they are in %s', async (_, cells) => {
  const file = ['Adresse;Ville', ...cells.map((cell) => `${cell};Brest`)].join('\n')
  const { sheet } = await checkFile(server, file)
  expect(sheet?.columns.map(({ target }) => target.to)).toEqual(['email', 'skip'])
})
