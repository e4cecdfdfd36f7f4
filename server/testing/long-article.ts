import { bullets, button, callout, code, doc, h, p, quote, table } from '../seed/document-builder.ts'
import { longRead } from '../seed/samples/quart-d-heure-long.ts'

/** 300 characters without a space, as links of web shops have. */
export const longAddress = `https://example.org/${'marees-et-horaires/'.repeat(15)}`.slice(0, 299).padEnd(300, '9')

export const compound = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

const picture = (attrs: Record<string, unknown>) => ({
  type: 'image',
  attrs: { src: 'https://img.example.org/estran.jpg', alt: 'L’estran à marée basse', ...attrs },
})

const wideRow = (...cells: string[]) => Array.from({ length: 9 }, (_, at) => `${cells[at % cells.length]} ${at + 1}`)

/**
 * A French article with every block, and with what mails break at: long words and addresses, in text, cells, captions,
 * code and buttons, and a table of nine columns.
 */
export const longArticle = doc(
  ...(longRead.content.content ?? []).filter(({ type }) => type !== 'image'),
  h(2, compound),
  p(`Le mot le plus long : ${compound}.`),
  p(['Une note', { type: 'footnote', attrs: { note: [{ type: 'text', text: `Voir ${longAddress}` }] } }, '.']),
  p([`Voir `, `[${longAddress}](${longAddress})`, ' pour les horaires.']),
  picture({ caption: longAddress }),
  picture({ width: 'wide', caption: `Le port, ${compound}` }),
  picture({ width: 'small', href: 'https://example.org/estran', alt: '' }),
  quote(`« ${compound} », disait-il.`, longAddress),
  callout('note', longAddress),
  bullets(longAddress, `Un point, puis ${compound}`),
  code('sh', `curl --fail ${longAddress} | sort --numeric-sort --key=2 | head --lines=20 > marees.txt\n\tls -l`),
  button(longAddress.slice(0, 200), 'https://example.org/long'),
  button(`Lire la suite chez ${compound}`, 'https://example.org/suite'),
  table(['Port', 'Heure', 'Adresse'], ['Brest', '6 h 12', longAddress], ['Ménez-Du', '18 h 40', compound]),
  table(wideRow('Lundi', 'Mercredi'), wideRow('Coefficient', '1,25 m'), wideRow('Pleine mer', 'Basse mer')),
  table(['Port', 'Hauteur'], ['Brest', '1,2 m'], ['Audierne', '0,9 m']),
  {
    type: 'video',
    attrs: {
      provider: 'youtube',
      url: 'https://youtu.be/dQw4w9WgXcQ',
      posterSrc: 'https://img.example.org/film.jpg',
      title: longAddress,
    },
  },
)
