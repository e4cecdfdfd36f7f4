import type { PostProcessorModule } from 'i18next'

/** The parameters that are names of newsletters and firms, and addresses. A person’s is left alone: Mme Le Gall is not « du Gall ». */
const names = ['newsletter', 'other', 'sponsor', 'who', 'address']
const withArticle: Record<string, string> = { de: 'du', à: 'au' }
const withPlural: Record<string, string> = { de: 'des', à: 'aux' }
const elided: Record<string, string> = { de: 'd’', que: 'qu’' }

/**
 * French joins some words to the name behind them: « du Quart d’heure », « aux Nouvelles », « d’Armor ». A sentence of `i18n/fr/` is written
 * with `de {{newsletter}}`, and i18next calls this after it has put the name there.
 */
export const contractions: PostProcessorModule = {
  type: 'postProcessor',
  name: 'contractions',
  process: (...[sentence, , options, translator]: Parameters<PostProcessorModule['process']>) =>
    (options.lng ?? translator.language) === 'fr'
      ? names.reduce((text, name) => joined(text, options[name]), sentence)
      : sentence,
}

function joined(sentence: string, name: unknown): string {
  if (typeof name !== 'string') return sentence
  const [, article = '', rest = ''] = /^(Les? )?(.*)$/su.exec(name) ?? []
  const becomes = article === 'Le ' ? withArticle : withPlural
  if (article) return replaced(sentence, name, (before) => becomes[before] && `${becomes[before]} ${rest}`)
  if (!/^[aeiouàâäæéèêëîïôöœùûü]/iu.test(name)) return sentence
  return [name, `«\u00a0${name}`].reduce(
    (text, said) => replaced(text, said, (before) => elided[before] && `${elided[before]}${said}`),
    sentence,
  )
}

function replaced(sentence: string, name: string, becomes: (before: string) => string | undefined): string {
  const literal = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return sentence.replace(new RegExp(`(?<!\\p{L})(de|à|que) ${literal}`, 'giu'), (whole, before: string) => {
    const now = becomes(before.toLowerCase())
    if (now === undefined) return whole
    return before === before.toLowerCase() ? now : now.charAt(0).toUpperCase() + now.slice(1)
  })
}
