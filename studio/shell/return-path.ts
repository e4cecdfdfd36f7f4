/** The path that a guarded route kept in the navigation state, to return to after signing in. */
export const returnPath = (state: unknown): string | undefined =>
  typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string'
    ? state.from
    : undefined
