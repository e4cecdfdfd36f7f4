import { generatePath } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'

/** The page of a booking. */
export const bookingPath = (bookingId: string): string => generatePath(studioPaths.booking, { bookingId })
