/** PostgreSQL can store neither half a surrogate pair nor NUL. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
