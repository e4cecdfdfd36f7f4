import { defineConfig } from 'vite'

/** The server as plain JavaScript in dist/server; packages stay where npm put them, and names stay readable. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    target: 'node26',
    outDir: 'dist/server',
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: {
      input: {
        main: 'server/main.ts',
        cli: 'server/entry.ts',
        thread: 'server/thread.ts',
        'decoder-process': 'server/media/decoder-process.ts',
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        // The process keeps its source text in memory: without comments, and with one byte a character. Lines stay, for traces.
        comments: false,
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
      },
    },
  },
  ssr: { external: true, target: 'node' },
})
