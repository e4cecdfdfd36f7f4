import type { useFormat } from '../format.ts'

type Format = ReturnType<typeof useFormat>

/** A part of those who accepted a publication, in percent. */
export const shareOf = (part: number | null, accepted: number, format: Format): string =>
  accepted > 0 && part !== null ? format.rate(part / accepted) : '—'

/** What became of some who accepted a publication. Where nobody did, a 0 would say that all of them stayed. */
export const countOf = (part: number, accepted: number, format: Format): string =>
  accepted > 0 || part > 0 ? format.number(part) : '—'
