import { randomBytes } from 'node:crypto'

/** An address that nobody else has. */
export const uniqueAddress = (who: string) => `${who}.${randomBytes(6).toString('hex')}@readers.example`
