import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The server the development server passes requests to: `npm start` answers there. */
const server = process.env['TIRAGE_URL'] ?? 'http://127.0.0.1:3000'

const passedOn = ['/api', '/media', '/n/', '/sub/', '/subscribe/', '/unsub/', '/r/', '/redirect/', '/confirm/']

export default defineConfig({
  root: 'dashboard',
  plugins: [react()],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 2048,
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: Object.fromEntries(passedOn.map((path) => [path, { target: server, xfwd: true }])) },
  preview: { proxy: Object.fromEntries(passedOn.map((path) => [path, { target: server, xfwd: true }])) },
})
