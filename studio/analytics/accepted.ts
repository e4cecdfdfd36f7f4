import type { useFormat } from '../format.ts'

type Format = ReturnType<typeof useFormat>

/** How many readers clicked. Null where there are clicks of people and it is not kept whose: a 0 would say that nobody did. */
export const clickersOf = ({ people, human }: { people: number; human: number }): number | null =>
  people === 0 && human > 0 ? null : people

/** A part of those who accepted a publication, in percent. */
export const shareOf = (part: number | null, accepted: number, format: Format): string =>
  accepted > 0 && part !== null ? format.rate(part / accepted) : '—'

/** What became of some who accepted a publication. Where nobody did, a 0 would say that all of them stayed. */
export const countOf = (part: number, accepted: number, format: Format): string =>
  accepted > 0 || part > 0 ? format.number(part) : '—'
