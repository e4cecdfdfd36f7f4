import { hashToken } from '../http/signing.ts'

/** Under what the library keeps the token of a link that signs in. */
export const linkIdentifier = (token: string): string => hashToken(token).toString('base64url')
