export const root: string
export function packagesToStart(): string[]
