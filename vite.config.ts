import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { mantineStyles } from './scripts/mantine-styles.ts'
import { noChunkCycles } from './scripts/no-chunk-cycles.ts'
import { studioContracts } from './scripts/studio-contracts.ts'
import { studioPages } from './scripts/studio-pages.ts'

/** The server the development server passes requests to: `npm start` answers there. */
const server = process.env.TIRAGE_URL ?? 'http://127.0.0.1:3000'

const passedOn = [
  '/api',
  '/media',
  '/n/',
  '/player',
  '/sub/',
  '/subscribe/',
  '/unsub/',
  '/r/',
  '/redirect/',
  '/confirm/',
]

const gzipped = promisify(gzip)
const brotliCompressed = promisify(brotliCompress)

/** Writes `.br` and `.gz` beside scripts and styles, so that the server never compresses what does not change. */
const compressed = (): Plugin => ({
  name: 'compressed',
  // What is not minified is built for a test, where nothing travels far.
  apply: ({ build }, { command }) => command === 'build' && build?.minify !== false,
  async writeBundle({ dir = '' }) {
    const folder = join(dir, 'static')
    const names = readdirSync(folder).filter((file) => /\.(js|css|svg)$/.test(file))
    await Promise.all(
      names.map(async (name) => {
        const bytes = await readFile(join(folder, name))
        await writeFile(join(folder, `${name}.gz`), await gzipped(bytes, { level: constants.Z_BEST_COMPRESSION }))
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
        await writeFile(join(folder, `${name}.br`), await brotliCompressed(bytes, { params }))
      }),
    )
  },
})

export default defineConfig({
  root: 'studio',
  plugins: [react(), studioContracts(), studioPages(), mantineStyles(), noChunkCycles(), compressed()],
  build: {
    outDir: '../dist/studio',
    // Served for a year as immutable: whatever lies in it has a hash or a version in its name.
    assetsDir: 'static',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 2048,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // The others are scripts of public pages, and of other sites (`server/page/scripts.ts`).
      input: {
        index: 'studio/index.html',
        prove: 'studio/subscribers/prove.ts',
        embed: 'studio/subscribers/embed.ts',
        'sponsor-words': 'studio/sponsorship/sponsor-words.ts',
      },
      // What every screen shares is one file, and what most behind the sign-in share another. Thirty small ones would wait for each other on a slow
      // connection.
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', tags: ['$initial'], minShareCount: 30 },
            // In a file with the pop-ups or the dialogs, which need them too, a tick and a button would bring 25 kB of those to the sign-in page.
            { name: 'small', test: /[\\/](CheckIcon\.mjs|mutationObserver\.js|useMutation\.js)$/ },
            { name: 'screens', minShareCount: 30, entriesAware: true, entriesAwareMergeThreshold: 20_000 },
          ],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(passedOn.map((path) => [path, { target: server, xfwd: true }])) },
  preview: { proxy: Object.fromEntries(passedOn.map((path) => [path, { target: server, xfwd: true }])) },
})
