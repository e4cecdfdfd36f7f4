import { env } from 'node:process'

/** Node's flags for the built program in tests: without room for what a start leaves behind, to collect that is a quarter of it. */
export const programFlags = ['--min-semi-space-size=16']

/** The environment in which tests start the built program, beside its settings: as `npm start` does. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_COMPILE_CACHE } = env
  return { PATH, HOME, NODE_COMPILE_CACHE, NODE_ENV: 'production', LANG: 'en_GB.UTF-8' }
}
