import type Stripe from 'stripe'
import { invalid } from './api-error.ts'
import type { Kind, Kinds, World } from './world.ts'

/** What a restricted key may be allowed, as Stripe's form of rights names them. */
export type Right =
  | 'account'
  | 'balance_transaction'
  | 'charge'
  | 'checkout_session'
  | 'coupon'
  | 'customer'
  | 'customer_portal'
  | 'event'
  | 'invoice'
  | 'payment_intent'
  | 'product'
  | 'price'
  | 'promotion_code'
  | 'subscription'
  | 'webhook'

export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  /** With `:id` for an id. */
  path: string
  right: Right
  /** The SDK's file and type of the parameters. */
  parameters: [file: string, type: string]
  act(world: World, params: object, id: string): object
}

interface Description<P> {
  right: Right
  parameters: [file: string, type: string]
  act(world: World, params: P, id: string): object
}

/** `P` is the type that `parameters` names. */
export function route<P extends object>(line: string, { right, parameters, act }: Description<P>): Route {
  const [method = '', path = ''] = line.split(' ')
  if (method !== 'GET' && method !== 'POST' && method !== 'DELETE') throw new Error(line)
  // Checked against the declaration of P before it comes here.
  return { method, path, right, parameters, act: (world, params, id) => act(world, params as P, id) }
}

interface Read<K extends Kind> {
  kind: K
  right: Right
  file: string
  /** Begin of the names of parameters: `Subscription`. */
  name: string
}

/** GET of one object and of a list, of which `keep` says what is asked for. */
export function reads<K extends Kind, P extends Stripe.PaginationParams>(
  path: string,
  { kind, right, file, name }: Read<K>,
  keep: (object: Kinds[K], params: P) => boolean = () => true,
): Route[] {
  return [
    route<object>(`GET ${path}/:id`, {
      right,
      parameters: [file, `${name}RetrieveParams`],
      act: (world, _params, id) => world.get(kind, id),
    }),
    route<P>(`GET ${path}`, {
      right,
      parameters: [file, `${name}ListParams`],
      act: (world, params) =>
        pageOf(
          world.all(kind).filter((object) => keep(object, params)),
          params,
          path,
        ),
    }),
  ]
}

function pageOf<T extends { id: string }>(all: T[], params: Stripe.PaginationParams, url: string) {
  const { limit = 10, starting_after: after, ending_before: before } = params
  if (limit < 1 || limit > 100) throw invalid('Invalid limit: must be between 1 and 100', 'limit')
  const at = (id: string, param: string) => {
    const index = all.findIndex((object) => object.id === id)
    if (index < 0) throw invalid(`No such object: '${id}'`, param, 'resource_missing')
    return index
  }
  const from = after ? at(after, 'starting_after') + 1 : 0
  const to = before ? at(before, 'ending_before') : all.length
  const start = before ? Math.max(0, to - limit) : from
  const data = all.slice(start, Math.min(to, start + limit))
  return { object: 'list', url, data, has_more: before ? start > 0 : from + limit < all.length }
}

type When = Stripe.RangeQueryParam | number | undefined

/** Whether a time is in the range that was asked for. */
export const fits = (at: number, when: When): boolean => {
  if (when === undefined) return true
  if (typeof when === 'number') return at === when
  const { gt = -1, gte = 0, lt = Number.POSITIVE_INFINITY, lte = lt } = when
  return at > gt && at >= gte && at < lt && at <= lte
}

/** Whether a value is the one that was asked for. */
export const same = (value: unknown, asked: string | undefined): boolean => asked === undefined || value === asked
