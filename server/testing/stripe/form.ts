/** A body or query as the SDK writes it: `items[0][price]=price_1` is `{items: {'0': {price: 'price_1'}}}`. */
export type Form = string | { [key: string]: Form }

export function readForm(text: string): { [key: string]: Form } {
  const root: { [key: string]: Form } = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '')
    const last = path.pop() ?? ''
    let at = root
    for (const part of path) {
      const next = at[part]
      if (typeof next === 'object') at = next
      else {
        const made = {}
        at[part] = made
        at = made
      }
    }
    at[last] = value
  }
  return root
}
