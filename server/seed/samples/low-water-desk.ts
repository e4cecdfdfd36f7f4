import { bullets, doc, h, p } from '../document-builder.ts'
import type { SamplePublication } from './sample.ts'

/** On its way next Saturday. */
export const next: SamplePublication = {
  slug: 'what-the-tide-table-leaves-out',
  title: 'What the tide table leaves out',
  subtitle: 'Ink would be arrogant: why the heights are written in pencil.',
  language: 'en',
  cover: 'table',
  content: doc(
    p(
      'The table is computed from the positions of the moon and the sun and some thirty other terms, each a small bell that rings at its own interval. Add them, and you have the sea; or rather you have the sea on a day without weather, which has not yet been observed.',
    ),
    h(2, 'Three omissions'),
    bullets(
      '**Pressure.** One hectopascal less and the sea stands one centimetre higher. A deep low is a tide of its own.',
      '**Wind.** From the south-west it leans; from the north-east it holds back.',
      '**People.** A table cannot know that you would rather not go.',
    ),
    p(
      'The office prints a sentence about all this on [page four](https://tides.example/preface). It is the least read sentence on the coast.',
    ),
  ),
}

/** Not finished. */
export const drafts: SamplePublication[] = [
  {
    slug: 'a-winters-worth-of-rope',
    title: 'A winter’s worth of rope',
    subtitle: 'On splicing, and the people who still do it by eye.',
    language: 'en',
    cover: 'rope',
    content: doc(
      p(
        'The ropewalk is four hundred metres long because that is how long a rope is. Jean-Yves walks it backwards, eleven times a day, and has done so since he was sixteen.',
      ),
      p('*Ask him about the knots on the wall. Check the year of the fire.*'),
    ),
  },
  {
    slug: 'ce-que-la-radio-a-entendu',
    title: 'Ce que la radio a entendu',
    subtitle: 'Traduction du n° 8, relue par Maël.',
    language: 'fr',
    content: doc(
      p(
        'Trois nuits durant, je me suis assise à côté de la veille, à Corsen, et j’ai écouté qu’il ne se passait rien. C’est un rien particulier : ouvert, un peu granuleux, comme une grande pièce pleine de gens qui se taisent exprès.',
      ),
    ),
  },
  {
    slug: '',
    title: '',
    subtitle: '',
    language: 'en',
    content: doc(p('Oysters, and the word for the noise they make.')),
  },
]
