/** Something outside the program keeps it from starting. Its message is for the operator. It is printed alone, with exit code 1. */
export class StartError extends Error {
  override readonly name: string = 'StartError'
}

/** The code of an error of Node or PostgreSQL, such as `ENOENT` or `23505`, else undefined. */
export const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
