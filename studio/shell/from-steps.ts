/** The state of a link from the steps of the dashboard, to be led back there. */
export const fromSteps = { fromSteps: true }

export const isFromSteps = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'fromSteps' in state && state.fromSteps === true
