import type { Language } from '../../languages.ts'
import { textOf } from './attributes.ts'
import { noteOf } from './note-text.ts'
import type { DocumentNode, PublicationDocument } from './schema.ts'

/** A link whose words do not say where it leads. */
export interface VagueLink {
  /** As they stand there; empty where there are none. */
  words: string
  address: string
}

/** Who hears a list of all links, or jumps from one to the next, learns nothing from these. Those of Lighthouse’s check, and more in each language. */
const vagueWords: Record<Language, string> = {
  en: `here|right here|over here|click here|click|click this|click me|press here|tap here|go|start|link|this|this link|the link|this page|page|article|
    website|site|more|more here|more info|more information|information|details|learn more|read|read on|read more|read it here|see|see here|see more|continue`,
  fr: `ici|là|juste ici|par ici|cliquez|cliquez ici|cliquer ici|clique ici|clic|appuyez ici|aller|y aller|lien|ce lien|le lien|cette page|page|article|
    site|plus|plus ici|plus d info|plus d infos|plus d informations|infos|informations|détails|en savoir plus|en lire plus|lire|lire ici|lire plus|
    lire la suite|la suite|suite|voir|voir ici|voir plus|à lire ici|continuer`,
}
const vague = new Set(
  Object.values(vagueWords).flatMap((words) => words.split('|').map((each) => each.replaceAll(/\s+/g, ' ').trim())),
)

/** Its letters and digits, as they are read out. */
const spoken = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Every link of a document that has no words, or words that would fit any other one, in the order of the text. */
export function vagueLinks(document: PublicationDocument): VagueLink[] {
  return linksOf(document).filter(({ words }) => {
    const said = spoken(words)
    return said === '' || vague.has(said)
  })
}

function linksOf(node: DocumentNode): VagueLink[] {
  const { type, content = noteOf(node) } = node
  if (type === 'button' || type === 'image') {
    const address = textOf(node, 'href')
    return address ? [{ words: textOf(node, type === 'button' ? 'label' : 'alt').trim(), address }] : []
  }
  // A link goes on where only its words look different from there.
  const found: VagueLink[] = []
  let openAddress: string | null = null
  for (const child of content) {
    const address = linkedTo(child)
    const last = found.at(-1)
    if (address === null) found.push(...linksOf(child))
    else if (last && openAddress === address) last.words += wordsOf(child)
    else found.push({ words: wordsOf(child), address })
    openAddress = address
  }
  return found.map(({ words, address }) => ({ words: words.trim(), address }))
}

const wordsOf = (node: DocumentNode): string => (node.type === 'mergeTag' ? textOf(node, 'field') : (node.text ?? ' '))

function linkedTo({ marks = [] }: DocumentNode): string | null {
  const href = marks.find(({ type }) => type === 'link')?.attrs?.href
  return typeof href === 'string' ? href : null
}
