import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    // Else Vitest reads every stylesheet as empty.
    css: { include: [/\/server\/.*\.css/] },
    include: ['server/**/*.test.{ts,tsx}', 'studio/**/*.test.{ts,tsx}', 'i18n/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['server/testing/global-setup.ts'],
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
  },
})
