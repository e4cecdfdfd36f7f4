import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { networkOf } from '../http/limits.ts'
import { enqueue } from '../jobs/queue.ts'
import { limitedFetch } from '../net/fetch.ts'
import type { AnalyticsEvent } from './contract.ts'

type Event = z.output<typeof AnalyticsEvent>

interface Forwarded {
  events: Event[]
  userId: string | null
  visitorId: string
  userAgent: string
}

declare module '../jobs/queue.ts' {
  interface Jobs {
    forward_analytics: Forwarded
  }
}

const MAX_PARAMS = 25

/** Stores events of the owner app, and forwards them when a provider is configured. */
export async function record(
  { config, db, now }: Context,
  request: FastifyRequest,
  { userId, events: given }: { userId: string | null; events: Event[] },
): Promise<void> {
  const at = now()
  const visitorId = visitorOf(config.secret, request, at)
  const events = given.map(({ name, params }) => ({ name, params: fewest(params) }))
  await db.transaction().execute(async (tx) => {
    const rows = events.map(({ name, params }) => ({ at, name, params, user_id: userId, visitor_id: visitorId }))
    await tx.insertInto('analytics_event').values(rows).execute()
    if (!config.ga4 && !config.plausible) return
    const userAgent = (request.headers['user-agent'] ?? '').slice(0, 300)
    await enqueue(tx, 'forward_analytics', { events, userId, visitorId, userAgent })
  })
}

const fewest = (params: Event['params']) => Object.fromEntries(Object.entries(params).slice(0, MAX_PARAMS))

/** Identifies a visitor for one day: a keyed hash of network and browser. No cookie stores it, and the next day it is another. */
function visitorOf(secret: string, request: FastifyRequest, at: Date): string {
  const facts = [at.toISOString().slice(0, 10), networkOf(request.ip), request.headers['user-agent'] ?? '']
  return createHmac('sha256', secret)
    .update(`visitor ${facts.join(' ')}`)
    .digest('base64url')
    .slice(0, 22)
}

/** Sends events to the configured providers. One that refuses is not tried again: a lost event there does no harm. */
export function forwardAnalyticsJob({ config, log }: Pick<Context, 'config' | 'log'>) {
  return async (forwarded: Forwarded): Promise<void> => {
    const asked = [...toGa4(config.ga4, forwarded), ...toPlausible(config, forwarded)]
    for (const result of await Promise.allSettled(asked)) {
      if (result.status === 'rejected') log.warn({ err: result.reason }, 'analytics were not forwarded')
    }
  }
}

/** The GA4 Measurement Protocol takes at most 25 events in a request. */
function toGa4(ga4: Context['config']['ga4'], { events, userId, visitorId }: Forwarded): Promise<void>[] {
  if (!ga4) return []
  const query = new URLSearchParams({ measurement_id: ga4.measurementId, api_secret: ga4.apiSecret })
  const address = `https://www.google-analytics.com/mp/collect?${query}`
  const batches = Array.from({ length: Math.ceil(events.length / 25) }, (_, i) => events.slice(i * 25, i * 25 + 25))
  return batches.map((batch) =>
    postJson(address, { client_id: visitorId, ...(userId && { user_id: userId }), events: batch }),
  )
}

async function postJson(address: string, body: unknown, headers: Record<string, string> = {}): Promise<void> {
  await limitedFetch(new URL(address), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    timeoutMs: 10_000,
    maxBytes: 64 * 1024,
  })
}

function toPlausible({ plausible, publicUrl }: Context['config'], { events, userAgent }: Forwarded): Promise<void>[] {
  if (!plausible) return []
  return events.map(({ name, params }) =>
    postJson(
      `${plausible.url.replace(/\/+$/, '')}/api/event`,
      {
        name: name === 'page_view' ? 'pageview' : name,
        url: `${publicUrl}${typeof params.path === 'string' ? params.path : '/'}`,
        domain: plausible.domain,
        props: params,
      },
      { 'user-agent': userAgent },
    ),
  )
}
