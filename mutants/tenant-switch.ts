import { appendFileSync } from 'node:fs'

/** The conditions that were asked in this test file. */
export const reached = new Set<string>()

/** Leaves one condition out from now on, in this test file. */
export function leftOut(name: string): void {
  process.env.TENANT_LOST = name
}

/**
 * Whether a condition holds: `TENANT_LOST` names the one that is left out. The conditions that a test file asks are written to the file
 * `TENANT_SEEN`.
 */
export function keepsTenant(name: string): boolean {
  const { TENANT_SEEN, TENANT_LOST } = process.env
  if (TENANT_SEEN && !reached.has(name)) appendFileSync(TENANT_SEEN, `${JSON.stringify({ name, test: testFile() })}\n`)
  reached.add(name)
  return name !== TENANT_LOST
}

function testFile(): string {
  const worker: unknown = Reflect.get(globalThis, '__vitest_worker__')
  return String(Object(worker).filepath)
}
