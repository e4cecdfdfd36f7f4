import type { PostProcessorModule } from 'i18next'
import { contractions } from './contractions.ts'
import { holdMarks } from './french-spaces.ts'
import { innerQuotes } from './inner-quotes.ts'

/**
 * A name that ends with a mark of its own, such as `Yahoo!` or `Acme Inc.`, needs no full stop behind it. A component may have put one of the
 * private-use characters, by which it finds the name again, at its end.
 */
const fullStops: PostProcessorModule = {
  type: 'postProcessor',
  name: 'fullStops',
  process: (...[sentence, , values]: Parameters<PostProcessorModule['process']>) =>
    Object.values(values).reduce<string>(
      (text, value) =>
        typeof value === 'string' && /[.!?…]\p{Co}?$/u.test(value) ? text.replaceAll(`${value}.`, () => value) : text,
      sentence,
    ),
}

/** Names and titles keep their spaces in a sentence as they do where they stand alone. */
const heldMarks: PostProcessorModule = { type: 'postProcessor', name: 'heldMarks', process: holdMarks }

/** What i18next does to a sentence after it has put the names in, in this order: the first three look for names as they were typed. */
export const postProcessors: PostProcessorModule[] = [fullStops, contractions, innerQuotes, heldMarks]
