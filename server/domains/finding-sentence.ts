import type { Translate } from '../translator.ts'
import type { Finding } from './contract.ts'

/** What a check found, in a sentence, and whose domain it is about when that is not the sender's. */
export function findingSentence({ reason, state, values, ofServer, set }: Finding, t: Translate): string {
  const none = ofServer !== null ? 'spf_none_ofServer' : set.length > 0 ? 'spf_none_set' : 'spf_none'
  const found = t(`domain.reason.${reason === 'spf_none' ? none : reason}`, values)
  return ofServer === null || state === 'good' ? found : `${found} ${t('domain.ofServer', { domain: ofServer })}`
}
