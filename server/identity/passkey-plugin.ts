import { passkey } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'
import type { Context } from '../context.ts'
import { passkeyFields } from './tables.ts'

/** The library's passkeys (WebAuthn). Each must check who holds it, by finger, face or PIN, so it stands for both factors. */
export const passkeys = ({ config, db, now }: Pick<Context, 'config' | 'db' | 'now'>) =>
  passkey({
    rpID: new URL(config.publicUrl).hostname,
    rpName: 'Tirage',
    origin: new URL(config.publicUrl).origin,
    schema: { passkey: { fields: passkeyFields } },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: async ({ verification }) => {
        if (!verification.registrationInfo?.userVerified) throw unchecked()
      },
    },
    authentication: {
      afterVerification: async ({ verification, clientData }) => {
        if (!verification.authenticationInfo.userVerified) throw unchecked()
        await db
          .updateTable('passkey')
          .set({ last_used_at: now() })
          .where('credential_id', '=', clientData.id)
          .execute()
      },
    },
  })

const unchecked = () => new APIError('FORBIDDEN', { code: 'PASSKEY_UNCHECKED' })
