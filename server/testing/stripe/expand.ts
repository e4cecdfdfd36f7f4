import { invalid } from './api-error.ts'
import { copyOf, type World } from './world.ts'

/** The object with what `expand` asks for in place of its ids (docs.stripe.com/api/expanding_objects). */
export function expand(world: World, object: object, params: object): object {
  const paths = 'expand' in params && Array.isArray(params.expand) ? params.expand : []
  const copy: unknown = copyOf(object)
  for (const path of paths) {
    const parts = String(path).split('.')
    if (parts.length > 4) throw invalid('You cannot expand more than 4 levels of a property', 'expand')
    open(world, copy, parts)
  }
  return typeof copy === 'object' && copy ? copy : {}
}

function open(world: World, at: unknown, [name = '', ...rest]: string[]): void {
  if (Array.isArray(at)) {
    for (const each of at) open(world, each, [name, ...rest])
    return
  }
  if (typeof at !== 'object' || at === null) return
  const holder = at as Record<string, unknown>
  const value = holder[name]
  // `payments` and `refunds` are lists that are there only when they are asked for.
  if (value === undefined) {
    const list = listWithin(world, holder, name)
    if (!list) throw invalid(`This property cannot be expanded (${name}).`, 'expand')
    holder[name] = list
  } else if (typeof value === 'string') {
    const found = world.any(value)
    if (found) holder[name] = copyOf(found)
  } else if (Array.isArray(value))
    holder[name] = value.map((each) => (typeof each === 'string' ? copyOf(world.any(each) ?? each) : each))
  if (rest.length > 0) open(world, holder[name], rest)
}

function listWithin(world: World, { object, id }: Record<string, unknown>, name: string) {
  const url = `/v1/${name}`
  const list = (data: object[]) => ({ object: 'list', url, has_more: false, data: copyOf(data) })
  if (object === 'invoice' && name === 'payments')
    return list(world.all('invoice_payment').filter(({ invoice }) => invoice === id))
  if (object === 'charge' && name === 'refunds') return list(world.all('refund').filter(({ charge }) => charge === id))
  if (object === 'customer' && name === 'subscriptions')
    return list(world.all('subscription').filter(({ customer }) => customer === id))
  return null
}
