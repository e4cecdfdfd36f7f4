import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import { serveStudio } from '../http/studio.ts'
import { defaultLanguage, type Language } from '../languages.ts'

const page = `<!doctype html><html lang="en"><head><title>Tirage</title><script>early()</script>
<script type="module" src="/static/app.js"></script><link rel="modulepreload" href="/static/shared.js">
<link rel="stylesheet" href="/static/app.css"></head><body><div id="root"></div></body></html>`

const fonts = ['newsreader-title-1.woff2', 'newsreader-wordmark-1.woff2', 'radio-canada-latin-wght-normal-1.woff2']

/** Serves an owner app that has no files of its own, until the test ends. */
export async function studioServer(language: Language = defaultLanguage) {
  const folder = await mkdtemp(join(tmpdir(), 'studio-'))
  await mkdir(join(folder, 'static'))
  for (const font of fonts) await writeFile(join(folder, 'static', font), '')
  await writeFile(join(folder, 'index.html'), page)
  await writeFile(join(folder, 'pages.json'), '{}')
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  onTestFinished(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })
  app.decorateRequest('language', language)
  await serveStudio(app, folder)
  return app
}
