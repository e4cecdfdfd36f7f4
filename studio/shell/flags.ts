/** Flags from the address: `create` for the editor, which has no navigation; `dashboard` for the overview. */
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

/** The first page after signing up: that of the product in the query, else the dashboard. */
export function firstPage(search: string): string {
  const product = new URLSearchParams(search).get('product')
  return product !== null && products.includes(product) ? `/${product}` : '/dashboard'
}

/** `path` with the product of the query, when there is one. */
export function keepProduct(path: string, search: string): string {
  const product = new URLSearchParams(search).get('product')
  return product ? `${path}?${new URLSearchParams({ product })}` : path
}
