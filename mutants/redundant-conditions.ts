/** Conditions on a newsletter that no test can miss, and why they stay. */
export const redundantConditions: { because: string; names: string[] }[] = []
