import Stripe from 'stripe'
import { invalid } from './api-error.ts'
import type { World } from './world.ts'

/** Products, prices, coupons and promotion codes. */

export function createProduct(world: World, params: Stripe.ProductCreateParams): Stripe.Product {
  const id = params.id ?? world.idOf('product')
  if (world.any(id)) throw invalid(`Product already exists.`, 'id', 'resource_already_exists')
  const product = world.add('product', {
    id,
    object: 'product',
    active: params.active ?? true,
    created: world.now(),
    default_price: null,
    description: params.description ?? null,
    images: params.images ?? [],
    livemode: world.livemode,
    marketing_features: [],
    metadata: metadataOf(params.metadata),
    name: params.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: params.statement_descriptor ?? null,
    tax_code: params.tax_code ?? null,
    tax_details: null,
    type: 'service',
    unit_label: params.unit_label ?? null,
    updated: world.now(),
    url: params.url ?? null,
  })
  world.emit('product.created', product)
  return product
}

export function updateProduct(world: World, product: Stripe.Product, params: Stripe.ProductUpdateParams) {
  const { active = product.active, name = product.name } = params
  Object.assign(product, { active, name, updated: world.now() })
  if (params.description !== undefined) product.description = params.description || null
  if (params.metadata) Object.assign(product.metadata, metadataOf(params.metadata))
  world.emit('product.updated', product)
  return product
}

export function createPrice(world: World, params: Stripe.PriceCreateParams): Stripe.Price {
  const product = params.product && world.named('product', params.product, 'product')
  if (!product) throw invalid('You must specify either `product` or `product_data`.', 'product')
  const { lookup_key: key = null, unit_amount: amount = null, custom_unit_amount: custom } = params
  if (amount === null && !custom) throw invalid('You must specify an amount.', 'unit_amount', 'parameter_missing')
  if (custom && params.recurring) throw invalid('custom_unit_amount is not for recurring prices.', 'custom_unit_amount')
  const taken = key && world.all('price').find((price) => price.lookup_key === key)
  if (taken) {
    if (!params.transfer_lookup_key)
      throw invalid(`A price (\`${taken.id}\`) already uses that lookup key.`, 'lookup_key', 'resource_already_exists')
    taken.lookup_key = null
  }
  const price = world.add('price', {
    id: world.idOf('price'),
    object: 'price',
    active: params.active ?? true,
    billing_scheme: 'per_unit',
    created: world.now(),
    currency: params.currency.toLowerCase(),
    custom_unit_amount: custom
      ? { maximum: custom.maximum ?? null, minimum: custom.minimum ?? null, preset: custom.preset ?? null }
      : null,
    livemode: world.livemode,
    lookup_key: key,
    metadata: metadataOf(params.metadata),
    nickname: params.nickname ?? null,
    product: product.id,
    recurring: params.recurring
      ? {
          interval: params.recurring.interval,
          interval_count: params.recurring.interval_count ?? 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: params.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: params.recurring ? 'recurring' : 'one_time',
    unit_amount: amount,
    unit_amount_decimal: amount === null ? null : Stripe.Decimal.from(amount),
  })
  world.emit('price.created', price)
  return price
}

export function createCoupon(world: World, params: Stripe.CouponCreateParams): Stripe.Coupon {
  const { id, percent_off: percent, amount_off: sum, currency, duration, duration_in_months: months } = params
  if (!percent === !sum) throw invalid('Give percent_off or amount_off.', 'percent_off')
  if (sum && !currency) throw invalid('Missing required param: currency.', 'currency', 'parameter_missing')
  if ((duration === 'repeating') !== (months !== undefined))
    throw invalid('`duration_in_months` goes with the duration `repeating`.', 'duration_in_months')
  if (params.name && params.name.length > 40) throw invalid('The name is longer than 40 characters.', 'name')
  if (params.redeem_by !== undefined && params.redeem_by <= world.now())
    throw invalid('`redeem_by` must be in the future.', 'redeem_by')
  if (id && world.find('coupon', id)) throw invalid('Coupon already exists.', 'id', 'resource_already_exists')
  const coupon = world.add('coupon', {
    id: params.id ?? world.idOf('coupon'),
    object: 'coupon',
    amount_off: params.amount_off ?? null,
    created: world.now(),
    currency: params.currency ?? null,
    duration: params.duration ?? 'once',
    duration_in_months: params.duration_in_months ?? null,
    livemode: world.livemode,
    max_redemptions: params.max_redemptions ?? null,
    metadata: metadataOf(params.metadata),
    name: params.name ?? null,
    percent_off: params.percent_off ?? null,
    redeem_by: params.redeem_by ?? null,
    times_redeemed: 0,
    valid: true,
  })
  world.emit('coupon.created', coupon)
  return coupon
}

export function createPromotionCode(world: World, params: Stripe.PromotionCodeCreateParams): Stripe.PromotionCode {
  const coupon = world.named('coupon', params.promotion.coupon ?? '', 'promotion[coupon]')
  const code = world.add('promotion_code', {
    id: world.idOf('promotion_code'),
    object: 'promotion_code',
    active: params.active ?? true,
    code: params.code ?? world.newId('CODE').toUpperCase(),
    created: world.now(),
    customer: params.customer ?? null,
    customer_account: null,
    expires_at: params.expires_at ?? null,
    livemode: world.livemode,
    max_redemptions: params.max_redemptions ?? null,
    metadata: metadataOf(params.metadata),
    promotion: { coupon: coupon.id, type: 'coupon' },
    restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
    times_redeemed: 0,
  })
  world.emit('promotion_code.created', code)
  return code
}

/** Values are kept as text. An empty one is none. */
export const metadataOf = (metadata: Stripe.Emptyable<Stripe.MetadataParam> | undefined): Stripe.Metadata =>
  Object.fromEntries(
    Object.entries(metadata || {}).flatMap(([key, value]) =>
      value === null || value === '' ? [] : [[key, String(value)]],
    ),
  )
