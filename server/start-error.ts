/** Something outside the program keeps it from starting. The message is for the operator: printed alone, exit code 1. */
export class StartError extends Error {
  override readonly name: string = 'StartError'
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
