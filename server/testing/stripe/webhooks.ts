import Stripe from 'stripe'
import { invalid } from './api-error.ts'
import { metadataOf } from './catalogue.ts'
import type { World } from './world.ts'

/** Secrets of endpoints: they are shown once, when an endpoint is made. */
const secrets = new WeakMap<Stripe.WebhookEndpoint, string>()

export function createEndpoint(world: World, params: Stripe.WebhookEndpointCreateParams): Stripe.WebhookEndpoint {
  if (!URL.canParse(params.url)) throw invalid('Invalid URL', 'url', 'url_invalid')
  if (world.livemode && !params.url.startsWith('https://'))
    throw invalid('Invalid URL: URLs must be HTTPS in live mode.', 'url', 'url_invalid')
  if (world.all('webhook_endpoint').length >= 16)
    throw invalid('You have reached the maximum of 16 webhook endpoints.', 'url')
  const endpoint = world.add('webhook_endpoint', {
    id: world.idOf('webhook_endpoint'),
    object: 'webhook_endpoint',
    api_version: params.api_version ?? null,
    application: null,
    created: world.now(),
    description: params.description || null,
    enabled_events: params.enabled_events,
    livemode: world.livemode,
    metadata: metadataOf(params.metadata),
    status: 'enabled',
    url: params.url,
  })
  const secret = world.newId('whsec').replaceAll('_1', '_')
  secrets.set(endpoint, secret)
  return { ...endpoint, secret }
}

export function updateEndpoint(endpoint: Stripe.WebhookEndpoint, params: Stripe.WebhookEndpointUpdateParams) {
  const { url, disabled, enabled_events: events } = params
  if (url) endpoint.url = url
  if (events) endpoint.enabled_events = events
  if (disabled !== undefined) endpoint.status = disabled ? 'disabled' : 'enabled'
  return endpoint
}

/** An event as it is posted. */
export interface Posted {
  event: Stripe.Event
  url: string
  body: string
  /** Of the header `stripe-signature`. */
  signature: string
}

/**
 * Signs an event for an endpoint (docs.stripe.com/webhooks#verify-manually).
 *
 * @param at in milliseconds: the time that is signed
 */
export function sign(event: Stripe.Event, endpoint: Stripe.WebhookEndpoint, at: number): Posted {
  const body = JSON.stringify(event, null, 2)
  const secret = secrets.get(endpoint) ?? ''
  const timestamp = Math.floor(at / 1000)
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
  return { event, url: endpoint.url, body, signature }
}
