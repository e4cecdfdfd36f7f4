import type { z } from 'zod'
import type { Utm } from './contract.ts'

export const utmFields = ['source', 'medium', 'campaign', 'term', 'content'] as const

type Values = z.output<typeof Utm>

export const noUtm: Values = { source: '', medium: '', campaign: '', term: '', content: '' }

/** What is before the query of an address, the query, and what is after it. */
const PARTS = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s

const partsOf = (target: string) => {
  const [, before = target, query = '', after = ''] = PARTS.exec(target) ?? []
  return { before, after, pairs: query === '' ? [] : query.split('&') }
}

const nameOf = (pair: string): string => new URLSearchParams(pair).keys().next().value ?? ''

/**
 * A target with UTM values as analytics programs read them (`utm_source`, …). Those that it had under the same names are replaced, and empty ones
 * take them away. Everything else of it stays as it is written: for some servers `?page` and `?page=` are two addresses.
 */
export function withUtm(target: string, utm: Values): string {
  const { before, pairs, after } = partsOf(target)
  const left = new Map<string, string>(utmFields.map((field) => [`utm_${field}`, utm[field]]))
  const written = (name: string): string[] => {
    const value = left.get(name) ?? ''
    left.set(name, '')
    return value === '' ? [] : [new URLSearchParams({ [name]: value }).toString()]
  }
  const kept = pairs.flatMap((pair) => (left.has(nameOf(pair)) ? written(nameOf(pair)) : [pair]))
  const query = [...kept, ...[...left.keys()].flatMap(written)].join('&')
  return `${before}${query === '' ? '' : `?${query}`}${after}`
}

/** The UTM values that a target has. */
export function utmOf(target: string): Values {
  const given = new URLSearchParams(partsOf(target).pairs.join('&'))
  const of = (field: (typeof utmFields)[number]) => given.get(`utm_${field}`) ?? ''
  return {
    ...{ source: of('source'), medium: of('medium'), campaign: of('campaign') },
    ...{ term: of('term'), content: of('content') },
  }
}
