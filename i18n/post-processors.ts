import type { PostProcessorModule } from 'i18next'
import { contractions } from './contractions.ts'
import { holdMarks } from './french-spaces.ts'
import { innerQuotes } from './inner-quotes.ts'

/** Names and titles keep their spaces in a sentence as they do where they stand alone. */
const heldMarks: PostProcessorModule = { type: 'postProcessor', name: 'heldMarks', process: holdMarks }

/** What i18next does to a sentence after it has put the names in, in this order: the first two look for names as they were typed. */
export const postProcessors: PostProcessorModule[] = [contractions, innerQuotes, heldMarks]
