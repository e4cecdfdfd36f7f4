import { type Pace, paces } from './contract.ts'

/** Those that a newsletter offers. */
export const offeredPaces = ({ digests }: { digests: boolean }): readonly Pace[] => (digests ? paces : ['every'])

/** How often somebody gets mail of a newsletter: a digest only as long as it offers them. */
export const paceOf = ({ pace }: { pace: Pace }, newsletter: { digests: boolean }): Pace =>
  newsletter.digests ? pace : 'every'

export const isPace = (value: unknown): value is Pace => paces.some((pace) => pace === value)
