import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import serveStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '../languages.ts'
import { encoded } from '../page/render.ts'
import { projectRoot } from '../root.ts'
import { translator } from '../translator.ts'
import { firstScreen } from './first-screen.tsx'
import type { PageFiles } from './page-files.ts'
import { studioPaths } from './studio-paths.ts'

const builtStudio = join(projectRoot, 'dist', 'studio')

const policy = (nonce: string, early: string) =>
  [
    "default-src 'none'",
    `script-src 'self' ${early}`,
    // Mantine positions its parts with style attributes and sets its theme in a style element that carries the nonce.
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "media-src 'self' https:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * Serves the owner app: the same page for all of its addresses. The page chooses the screen in the browser.
 *
 * @param folder the built app; without it nothing is served
 */
export async function serveStudio(app: FastifyInstance, folder = builtStudio): Promise<void> {
  if (!existsSync(folder)) return
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const early = hashesOfScripts(`${page}<script>${begin}</script>`)
  const icon = page.match(/href="(\/static\/[^"]+\.svg)"/)?.[1]
  const files = await readdir(join(folder, 'static'))
  await serveFiles(app, join(folder, 'static'), new Set(files))
  const links = await pageLinks(folder)
  const written = { en: writtenIn(page, 'en'), fr: writtenIn(page, 'fr') }
  const fonts = firstFonts(files)
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.routeOptions.url ?? ''
    const more = links.get(path)?.[request.language] ?? ''
    const first = firstScreen(path, { language: request.language, fonts })
    const html = written[request.language].replace('</head>', `${more}</head>`)
    const nonce = randomBytes(16).toString('base64url')
    const text = (first ? withFirstScreen(html, first) : html).replaceAll('__STYLE_NONCE__', nonce)
    const { body, headers } = encoded(Buffer.from(text), request.headers['accept-encoding'])
    return reply
      .headers({
        ...headers,
        'content-security-policy': policy(nonce, early),
        'cache-control': 'no-cache',
        vary: 'accept-encoding, accept-language',
      })
      .type('text/html; charset=utf-8')
      .send(body)
  }
  app.get('/', (request, reply) => {
    const search = request.url.indexOf('?')
    return reply.redirect(`${studioPaths.dashboard}${search < 0 ? '' : request.url.slice(search)}`)
  })
  // Browsers also ask for it on public pages, which name no icon.
  if (icon) app.get('/favicon.ico', (_request, reply) => reply.header('cache-control', 'max-age=86400').redirect(icon))
  for (const path of Object.values(studioPaths)) app.get(path, sendPage)
  app.get('/*', (request, reply) =>
    isOpenedByPerson(request) ? sendPage(request, reply.code(404)) : reply.callNotFound(),
  )
}

/** The names are read once: the plugin's own route reads those of the whole folder for each request, which takes longer than the answer. */
async function serveFiles(app: FastifyInstance, root: string, names: Set<string>): Promise<void> {
  await app.register(serveStatic, {
    root,
    serve: false,
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
    index: false,
  })
  app.get<{ Params: { name: string } }>('/static/:name', ({ params: { name } }, reply) =>
    names.has(name) ? reply.sendFile(name) : reply.callNotFound(),
  )
}

/** The page with what search engines and readers of screens take from it before the app runs. */
const writtenIn = (page: string, language: Language): string =>
  page
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace('</head>', `<meta name="description" content="${translator(language)('identity.description')}"></head>`)

/** The scripts in the page itself, as its policy names them. */
const hashesOfScripts = (page: string): string =>
  [...page.matchAll(/<script>(.*?)<\/script>/gs)]
    .map(([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    .join(' ')

/**
 * The files of the app come after the first screen: its styles, for which it would wait, and then its scripts, which are fetched once it is
 * seen. Before, they took the line and the processor from it. A page that nobody looks at draws nothing and begins at once. The styles then
 * move into the head, before those of each page that is opened later: of two rules that weigh the same, the later one holds.
 */
function withFirstScreen(html: string, first: string): string {
  const styles = html.match(stylesheetLinks)?.join('') ?? ''
  const scripts = html.match(scriptLinks)?.join('') ?? ''
  return html
    .replaceAll(stylesheetLinks, '')
    .replaceAll(scriptLinks, '')
    .replace(
      '<div id="root"></div>',
      `<div id="root">${first}</div>${styles}<template id="scripts">${scripts}</template><script>${begin}</script>`,
    )
}

const begin = `{
  const fetchScripts = () => {
    for (const link of document.querySelectorAll('body > link')) {
      const inHead = link.cloneNode()
      inHead.onload = () => link.remove()
      document.head.append(inHead)
    }
    document.head.append(document.getElementById('scripts').content)
  }
  if (document.hidden) fetchScripts()
  else requestAnimationFrame(() => setTimeout(fetchScripts))
}`
const stylesheetLinks = /<link rel="stylesheet"[^>]*>/g
const scriptLinks = /<link rel="modulepreload"[^>]*>|<script type="module"[^>]*><\/script>/g

/** The faces of the first screen, from the files and under the names of the app, which has them already when it asks for them. */
function firstFonts(files: string[]): string {
  const faces = [
    { family: 'Newsreader Title', weight: '450', file: 'newsreader-title-' },
    { family: 'Newsreader Wordmark', weight: '500', file: 'newsreader-wordmark-' },
    { family: 'Radio Canada', weight: '300 700', file: 'radio-canada-latin-wght-normal-' },
  ]
  return faces
    .map(({ family, weight, file }) => {
      const found = files.find((name) => name.startsWith(file))
      if (!found) throw new Error(`the build has no ${file}`)
      return `@font-face{font-family:"${family}";font-weight:${weight};font-display:swap;src:url("/static/${found}") format("woff2")}`
    })
    .join('')
}

/** What to have a browser fetch together with the app, which would ask for it only once it runs, by address. */
async function pageLinks(folder: string): Promise<Map<string, Record<Language, string>>> {
  const pages: Record<string, PageFiles> = JSON.parse(await readFile(join(folder, 'pages.json'), 'utf8'))
  return new Map(Object.entries(pages).map(([path, files]) => [path, linksTo(files)]))
}

/** Whoever has chosen the other language on a device gets its sentences besides. */
function linksTo({ styles, scripts, sentences }: PageFiles): Record<Language, string> {
  const style = styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`)
  const script = (file: string) => `<link rel="modulepreload" crossorigin href="/${file}">`
  const of = (language: Language) => [...style, ...[...scripts, ...sentences[language]].map(script)].join('')
  return { en: of('en'), fr: of('fr') }
}

/** At an unknown address a person gets a page with a way back, and a program gets the error of the API. */
const isOpenedByPerson = ({ url, headers }: FastifyRequest) =>
  !url.startsWith('/api/') && (headers.accept ?? '').includes('text/html')
