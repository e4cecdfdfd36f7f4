import { defineConfig } from 'vite'

/** The server as plain JavaScript in dist/server; packages stay where npm put them, and nothing is minified. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    target: 'node26',
    outDir: 'dist/server',
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      input: {
        main: 'server/main.ts',
        cli: 'server/entry.ts',
        thread: 'server/thread.ts',
        'decoder-process': 'server/media/decoder-process.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  ssr: { external: true, target: 'node' },
})
