import type { Translate } from '../translator.ts'
import type { Finding } from './contract.ts'

/** What a check found, in a sentence. */
export const findingSentence = ({ reason, values, set }: Finding, t: Translate): string =>
  t(`domain.reason.${reason === 'spf_none' && set.length > 0 ? 'spf_none_set' : reason}`, values)
