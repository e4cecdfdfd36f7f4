import { randomBytes } from 'node:crypto'

/** An email address that no other test uses. */
export const uniqueAddress = (who: string) => `${who}.${randomBytes(6).toString('hex')}@subscribers.example`
