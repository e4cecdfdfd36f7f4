import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkAgain, importFile, readImport, type ShownImport, uploadFile } from '../../testing/import-file.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { encodingNamed } from './encodings.ts'

test.each([
  ['UTF8', 'utf-8'],
  ['latin1', 'windows-1252'],
  ['cp1251', 'windows-1251'],
  [' SHIFT-JIS ', 'shift_jis'],
  ['GBK', 'gb18030'],
  ['iso-8859-3', null],
  ['replacement', null],
  ['klingon', null],
  ['', null],
])('“%s” is %s', (given, encoding) => expect(encodingNamed(given)).toBe(encoding))

describe('a file in an encoding that is not found', () => {
  let server: TestNewsletter
  beforeAll(async () => {
    server = await startTestNewsletter()
  })
  afterAll(() => server.stop())

  /** “email;имя” and “anna@example.org;Анна” in KOI8-R, which is taken for windows-1252. */
  const cyrillic = Buffer.concat([
    Buffer.from('email;'),
    Buffer.from('c9cdd1', 'hex'),
    Buffer.from('\nplain@example.org;Plain\nanna@example.org;'),
    Buffer.from('e1cecec1', 'hex'),
    Buffer.from('\n'),
  ])
  const readAs = ({ id }: Pick<ShownImport, 'id'>, encoding: unknown) =>
    server.owner.call('POST', `${server.path}/imports/${id}/encoding`, { encoding })

  test('is read again with the one that is chosen: columns, examples and rows', async () => {
    const uploaded = (await uploadFile(server, cyrillic)).json<ShownImport>()
    expect(uploaded.sheet).toMatchObject({ encoding: 'windows-1252', samples: ['ÉÍÑ', 'áÎÎÁ'] })
    expect(uploaded.sheet?.columns[1]).toMatchObject({ name: 'ÉÍÑ', example: 'áÎÎÁ' })
    // A dry run that was made before is forgotten.
    const targets = [{ to: 'email' }, { to: 'name' }]
    const tried = await checkAgain(server, uploaded, { targets })
    expect(tried.state).toBe('checked')

    const answer = await readAs(tried, 'koi8-r')
    expect(answer.statusCode).toBe(200)
    const read = answer.json<ShownImport>()
    expect(read).toMatchObject({ state: 'uploaded', counts: null, choices: null })
    expect(read.sheet).toMatchObject({ encoding: 'koi8-r', delimiter: ';', samples: ['имя', 'Анна'] })
    expect(read.sheet?.columns[1]).toMatchObject({ name: 'имя', example: 'Анна' })
    await checkAgain(server, read, { targets })
    expect((await server.owner.call('POST', `${server.path}/imports/${read.id}/start`, {})).statusCode).toBe(200)
    await server.work()
    expect((await readImport(server, read.id)).state).toBe('done')
    const people = await server.context.db.selectFrom('subscriber').select('name').orderBy('email').execute()
    expect(people.map(({ name }) => name)).toEqual(['Анна', 'Plain'])
  })

  test('is refused one that gives no rows or that is none, and stays as it was', async () => {
    const uploaded = (await uploadFile(server, cyrillic)).json<ShownImport>()
    const unfit = await readAs(uploaded, 'utf-16le')
    expect([unfit.statusCode, unfit.json().error.code]).toEqual([422, 'encoding_does_not_fit'])
    for (const wrong of ['klingon', 'latin1', '', null, 7, ['utf-8'], 'x'.repeat(100_000)])
      expect((await readAs(uploaded, wrong)).statusCode).toBe(422)
    expect(await readImport(server, uploaded.id)).toMatchObject({ state: 'uploaded', sheet: uploaded.sheet })
    expect((await readAs({ id: 'nothing' }, 'koi8-r')).statusCode).toBe(404)
  })

  test('cannot change it once people are added', async () => {
    const done = await importFile(server, 'email\nlate@example.org\n')
    expect((await readAs(done, 'koi8-r')).json().error.code).toBe('import_moved_on')
  })

  test('shows examples with such letters before others', async () => {
    const file = `email,name\n${'a@example.org,Plain\n'.repeat(150)}b@example.org,Zoé\n`
    const { sheet } = (await uploadFile(server, file)).json<ShownImport>()
    expect(sheet).toMatchObject({ encoding: 'utf-8', samples: ['Zoé'] })
    const near = (await uploadFile(server, 'email,name\na@example.org,Plain\nb@example.org,Zoé\n')).json<ShownImport>()
    expect(near.sheet?.columns[1]?.example).toBe('Zoé')
  })
})
