/** The identity library's names of columns, with the names in our tables. */
const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

export const userFields = { emailVerified: 'email_verified', ...times }

export const sessionFields = {
  userId: 'user_id',
  expiresAt: 'expires_at',
  ipAddress: 'ip_address',
  userAgent: 'user_agent',
  ...times,
}

/** The columns of a session that are ours. */
export const ownSessionFields = {
  method: { type: 'string', required: false, input: false },
  provenAt: { type: 'date', required: false, input: false, fieldName: 'proven_at' },
  awaitsCode: { type: 'boolean', required: false, input: false, fieldName: 'awaits_code' },
} as const

export const passkeyFields = {
  userId: 'user_id',
  publicKey: 'public_key',
  credentialID: 'credential_id',
  deviceType: 'device_type',
  backedUp: 'backed_up',
  createdAt: 'created_at',
}

export const accountFields = {
  userId: 'user_id',
  accountId: 'account_id',
  providerId: 'provider_id',
  accessToken: 'access_token',
  refreshToken: 'refresh_token',
  idToken: 'id_token',
  accessTokenExpiresAt: 'access_token_expires_at',
  refreshTokenExpiresAt: 'refresh_token_expires_at',
  ...times,
}

export const verificationFields = { expiresAt: 'expires_at', ...times }
