/** Something outside the program keeps it from starting. The message is for the operator: printed alone, exit code 1. */
export class StartError extends Error {
  override readonly name: string = 'StartError'
}

/** What an error of Node or PostgreSQL calls its kind, such as `ENOENT` or `23505`; undefined for anything else. */
export const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
