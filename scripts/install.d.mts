export const root: string
export function packagesToStart(): string[]
export function isUnread(path: string): boolean
