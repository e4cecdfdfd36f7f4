import { configDefaults, defineConfig } from 'vitest/config'

/** They replace modules, and so need modules of their own. */
const replaceModules = ['server/identity/password-hashes.test.ts']

export default defineConfig({
  test: {
    environment: 'node',
    // Else Vitest reads every stylesheet as empty.
    css: { include: [/\/server\/.*\.css/] },
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: [
            'server/**/*.test.{ts,tsx}',
            'studio/**/*.test.{ts,tsx}',
            'i18n/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...replaceModules],
          // Files of one worker share its modules: to load them again for each file took half of the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'replaced modules', include: replaceModules } },
    ],
    globalSetup: ['server/testing/global-setup.ts'],
    // It guards against hanging only: a busy machine takes its time.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
  },
})
