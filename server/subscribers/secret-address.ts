import type { FastifyReply } from 'fastify'

/** For a page whose address is the key to it: nothing stores the answer, no other site learns the address. */
export const keepAddressSecret = (reply: FastifyReply): FastifyReply =>
  reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex').header('cache-control', 'no-store')
