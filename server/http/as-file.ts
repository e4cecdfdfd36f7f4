import type { FastifyReply } from 'fastify'

/** Lets a browser keep a reply as a file of this name, and nobody between keep it. The caller says its type. */
export const asFile = (reply: FastifyReply, name: string): FastifyReply =>
  reply.header('cache-control', 'no-store').header('content-disposition', `attachment; filename="${name}"`)
