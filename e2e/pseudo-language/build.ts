import { dirname, join } from 'node:path'
import { build, type InlineConfig, type Plugin } from 'vite'

/**
 * Builds the whole program into the folder given, with the pseudo-language in the place of English:
 * `node e2e/pseudo-language/build.ts FOLDER`. The product is never built with it.
 */
const root = join(import.meta.dirname, '..', '..')
const english = join(root, 'i18n', 'en')
const folder = process.argv[2]
if (!folder) throw new Error('give the folder to build into')

const pseudoLanguage: Plugin = {
  name: 'pseudo-language',
  enforce: 'pre',
  load: (id) =>
    dirname(id) === english && !id.endsWith('?written')
      ? `import { accentedAll } from ${JSON.stringify(join(import.meta.dirname, 'accented.ts'))}
         import written from ${JSON.stringify(`${id}?written`)}
         export default accentedAll(written)`
      : null,
}

const common: InlineConfig = { logLevel: 'error', plugins: [pseudoLanguage] }
const written = { emptyOutDir: true, minify: false }
await Promise.all([
  build({ ...common, configFile: join(root, 'vite.config.ts'), build: { ...written, outDir: join(folder, 'studio') } }),
  build({
    ...common,
    configFile: join(root, 'vite.server.config.ts'),
    build: { ...written, outDir: join(folder, 'server') },
  }),
])
