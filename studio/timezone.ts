import { createContext } from 'react'

/** The timezone of the open newsletter, in which its days and times are shown. Without one, that of the browser. */
export const TimezoneContext = createContext<string | undefined>(undefined)
