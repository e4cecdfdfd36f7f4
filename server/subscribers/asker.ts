import type { FastifyRequest } from 'fastify'

/** Who asks for a change of subscribers: a member, or an API key. */
export interface Asker {
  userId: string | null
  apiKeyId: string | null
}

export const askerOf = ({ caller }: FastifyRequest): Asker => ({
  userId: caller?.user?.id ?? null,
  apiKeyId: caller?.key?.id ?? null,
})
