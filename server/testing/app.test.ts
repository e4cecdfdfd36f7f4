import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { startTestApp } from './app.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Its context, by which everything of it is reached. */
async function startedAndStopped(): Promise<WeakRef<object>> {
  const testApp = await startTestApp()
  await testApp.createNewsletter(await testApp.signUp())
  await testApp.work()
  await testApp.stop()
  return new WeakRef(testApp.context)
}

test('a stopped server is let go, so that the next ones of this worker find its memory', {
  timeout: 60_000,
}, async () => {
  const context = await startedAndStopped()
  const isHeld = () => {
    collectGarbage()
    return context.deref() !== undefined
  }
  // What drives the queue has a timer of five seconds for its own end.
  await expect.poll(isHeld, { timeout: 40_000, interval: 1_000 }).toBe(false)
})
