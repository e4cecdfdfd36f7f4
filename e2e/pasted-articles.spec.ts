import sharp from 'sharp'
import type { DocumentNode } from '../server/publications/document/schema.ts'
import { readMail } from './caught-mail.ts'
import { EditorScreen } from './editor-screen.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { docsArticle, wordArticle } from './pasted-articles.ts'

test('an article pasted from Word and one from Google Docs are what they were, in the editor, on the web and in the mail', async ({
  page,
  t,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, 'fr')
  const api = `/api/newsletters/${id}/publications`
  const headers = { origin: baseURL ?? '' }
  const made = await page.request.post(api, { data: { title: 'La marée', language: 'fr' }, headers })
  const { id: draft } = (await made.json()) as { id: string }
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text())
  })
  await page.goto(`/publish/create/${draft}`)
  const editor = new EditorScreen(page, t)
  await editor.text.click()
  await editor.paste(wordArticle(await drawn('#0c5c5a')))
  await expect(page.getByRole('alert').filter({ hasText: t('editor.pasted.lost', { count: 1 }) })).toBeVisible()
  await expect(editor.text.locator('figure img')).toHaveAttribute('src', /\/media\//)
  await editor.text.focus()
  await editor.press('Control+End', 'Enter')
  await editor.paste(docsArticle(await drawn('#9c3010')))
  await expect(editor.text.locator('figure img[src*="/media/"]')).toHaveCount(2)

  const outline = async () => outlineOf((await (await page.request.get(`${api}/${draft}`)).json()).content)
  await expect.poll(async () => (await outline()).slice(-2)).toEqual(['image  | ', 'paragraph Après l’image.'])
  expect(await outline()).toEqual([
    'heading Le port qui attend',
    expect.stringMatching(
      /^paragraph Deux fois par jour.*«\u00a0On attend\u00a0», dit.*attendre\u00a0\?\^1 Le .*l’encre noire aussi\.$/,
    ),
    'heading Quatre mètres',
    'bulletList [les amarres\u00a0: [la pointe avant, [doublée l’hiver\u00a0;]]] [les défenses.]',
    'orderedList [Sonder.] [Attendre^2.]',
    'blockquote «\u00a0L’encre serait de l’arrogance.\u00a0»',
    'table {Jour} {Coefficient} Samedi 28 104',
    'image Les bateaux à l’échouage | Figure 1. Les bateaux à l’échouage',
    'paragraph La suite est sur le site du port.',
    'horizontalRule',
    'paragraph ^1 Marée de vive-eau, coefficient 104.',
    'paragraph ^2 Six heures, au moins.',
    'heading Six heures plus tard',
    'paragraph La mer revient par les bords, comme une bonne idée ; « elle ne frappe pas »^1.',
    'paragraph La table dit le reste.',
    'orderedList [Le quai [la date gravée [1871]]] [La cloche]',
    'horizontalRule',
    'table {Heure} {Hauteur} 16 h 30 0,9 m',
    'image  | ',
    'paragraph Après l’image.',
  ])
  // The address on the writer's own disk is the only thing that the browser may speak of, and it does not.
  expect(refused).toEqual([])

  const sent = await page.request.post(`${api}/${draft}/test`, { data: {}, headers })
  const { to } = (await sent.json()) as { to: string[] }
  const mail = await readMail(page, id, { to: to[0] ?? '', subject: /La marée/ })
  expect(mail.html).not.toMatch(/mso-element|MsoNormal|<o:p|docs-internal|file:|À vérifier|bleue/)
  expect(mail.html).toContain('<th')
  // Without the weekday the date stays on one line beside the name, on a phone too.
  expect(mail.text).toMatch(/^Low Water\r?\n\d{1,2}(er)?\s[^\s\d]+ 20\d\d\r?\n/)
  expect(mail.text).toContain('Qui d’autre sait attendre\u00a0?¹')
  expect(mail.text).toMatch(/\n1\. Sonder\.\n2\. Attendre²\.\n/)
  expect(mail.text).toMatch(/1\. Le quai\n {3}a\. la date gravée\n/)
  expect(mail.text).not.toMatch(/À vérifier|bleue|MQ1|_ftn/)

  const answer = await page.request.post(`${api}/${draft}/preview`, { data: {}, headers })
  const { web } = (await answer.json()) as { web: string }
  await page.route('**/shown', (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: unbound(web) }),
  )
  await page.goto('/shown')
  const numbering = page.locator('.document ol ol')
  await expect(numbering).toHaveCSS('list-style-type', 'lower-alpha')
})

const drawn = async (background: string) => {
  const image = await sharp({ create: { width: 800, height: 450, channels: 3, background } })
    .png()
    .toBuffer()
  return `data:image/png;base64,${image.toString('base64')}`
}

/** Without the policy for frames, under which its own style needs to be let through. */
const unbound = (html: string) => html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '')

/** A line for each block: `^` before what is raised, `{}` around heads of a table, `[]` around items. */
const outlineOf = (document: DocumentNode): string[] =>
  (document.content ?? []).map((block) => `${block.type}${wordsOf(block, ' ')}`)

function wordsOf({ type, text, marks, attrs, content = [] }: DocumentNode, before = ''): string {
  if (text !== undefined) return (marks?.some((mark) => mark.type === 'superscript') ? '^' : '') + text
  if (type === 'image') return `${before}${attrs?.alt ?? ''} | ${attrs?.caption ?? ''}`
  const isGroup = /List$|^table|^blockquote$|^listItem$/.test(type)
  const inner = content.map((each) => wordsOf(each)).join(isGroup ? ' ' : '')
  const around = type === 'listItem' ? `[${inner}]` : type === 'tableHeader' ? `{${inner}}` : inner
  return around && before + around
}
