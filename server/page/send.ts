import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage, type RenderedPage } from './render.ts'

export interface SendOptions {
  /** 200 unless the page says that something is missing, gone or wrong. */
  status?: number
  cacheControl?: string
}

/** Sends a page with its policy, its ETag and the compression that the browser prefers. */
export function sendPage(reply: FastifyReply, page: RenderedPage, options: SendOptions = {}) {
  const { request } = reply
  const { status = 200, cacheControl } = options
  const answer = answerPage(page, status === 200 ? request.headers : withoutTag(request), cacheControl)
  return reply
    .code(status === 200 ? answer.status : status)
    .headers(answer.headers)
    .send(answer.body)
}

const withoutTag = (request: FastifyRequest) => ({ 'accept-encoding': request.headers['accept-encoding'] })
