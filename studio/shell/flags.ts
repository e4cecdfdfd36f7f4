/** What the outer shell knows from the address: `create` is writing (no navigation), `dashboard` the owner's overview. */
export interface ShellFlags {
  create: boolean
  dashboard: boolean
}

export const flagsOf = (address: string): ShellFlags => ({
  create: address.includes('create'),
  dashboard: address.includes('dashboard'),
})

type Product = 'publish' | 'advertise' | 'charge'

const products: readonly string[] = ['publish', 'advertise', 'charge'] satisfies Product[]

/** The first page after signing up: that of the product somebody came for, else the dashboard. */
export function firstPage(search: string): string {
  const product = new URLSearchParams(search).get('product')
  return product !== null && products.includes(product) ? `/${product}` : '/dashboard'
}

/** `path` with the product that the visitor came for, when there is one. */
export function keepProduct(path: string, search: string): string {
  const product = new URLSearchParams(search).get('product')
  return product ? `${path}?${new URLSearchParams({ product })}` : path
}
