import { defineConfig } from '@playwright/test'
import { languages, locales } from '../server/languages.ts'
import { chromiumLaunch } from './chromium.ts'

/** Every test runs twice: in an English and in a French browser. */
export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  globalSetup: './global-setup.ts',
  fullyParallel: true,
  // On two cores: a third of each test is waiting.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // It ends a test that hangs. The slowest ones take half a minute while nothing else runs.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    launchOptions: chromiumLaunch(),
    viewport: { width: 1440, height: 900 },
    timezoneId: 'Europe/Paris',
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
  },
  projects: [
    // The longest one first, so that the others run beside it.
    { name: 'pseudo', use: { locale: 'en-GB' }, testMatch: '**/pseudo-language/*.spec.ts' },
    ...languages.map((name) => ({ name, use: { locale: locales[name] }, testIgnore: '**/pseudo-language/**' })),
  ],
})
