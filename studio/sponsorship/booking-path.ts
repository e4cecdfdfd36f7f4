import { generatePath } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'

/** The page of a booking. */
export const bookingPath = (bookingId: string): string => generatePath(studioPaths.booking, { bookingId })

/** The public page on which sponsors ask for a slot. */
export const sponsorPagePath = ({ id, handle }: { id: string; handle: string | null }): string =>
  `/sponsor/${handle ?? id}`
