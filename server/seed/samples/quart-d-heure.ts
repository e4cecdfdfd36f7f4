import { bullets, doc, h, p, quote, table } from '../document-builder.ts'
import { longRead } from './quart-d-heure-long.ts'
import type { SamplePublication } from './sample.ts'

/** What Le Quart d’heure sent, newest first. */
export const sent: SamplePublication[] = [
  longRead,
  {
    slug: 'eloge-du-minuteur',
    title: 'Éloge du minuteur',
    subtitle: "L'objet le plus honnête de la cuisine ne sait faire qu'une chose, et il crie quand c'est fait.",
    language: 'fr',
    weeksAgo: 2,
    cover: 'timer',
    content: doc(
      p(
        "Il a la forme d'un œuf, d'une tomate ou d'une poule, comme pour s'excuser. On le tourne, il grignote, il sonne. Il ne compte pas vos pas et ne vous félicite de rien. Quand il a fini, il se tait jusqu'à la fois suivante.",
      ),
      p(
        "L'ingénieur qui m'en a parlé le mieux répare des minuteurs à Besançon. « Le ressort ne ment pas, dit-il, il fatigue. » Un bon mécanisme se trompe de deux secondes par minute, toujours dans le même sens, et l'on finit par cuire ses œufs à trois minutes et six secondes sans le savoir.",
      ),
      quote('Le ressort ne ment pas. Il fatigue.'),
      p("On peut lui envoyer le sien : [l'atelier](https://atelier-ressort.example/) répare tout ce qui grignote."),
    ),
  },
  {
    slug: 'la-pause-de-dix-heures',
    title: 'La pause de dix heures',
    subtitle: "Sociologie d'un quart d'heure qui en dure vingt.",
    language: 'fr',
    weeksAgo: 4,
    cover: 'cup',
    content: doc(
      p(
        "Elle n'est dans aucun contrat et tout le monde la respecte. À dix heures moins deux, quelque chose se desserre dans l'immeuble. Une porte, puis une autre. Le bruit de la machine. On ne dit pas « je vais en pause », on dit « tu descends ? », même quand il faut monter.",
      ),
      h(2, 'Ce qui s’y décide'),
      p(
        "J'ai demandé à douze personnes, dans sept entreprises, de noter pendant un mois ce qui s'y était vraiment dit.",
      ),
      table(
        ['Sujet', 'Part du temps'],
        ['Le travail, en mal', '31 %'],
        ['Les enfants', '22 %'],
        ['Le temps qu’il fait', '19 %'],
        ['Le travail, en bien', '16 %'],
        ['La machine à café', '12 %'],
      ),
      p("L'enquête complète, avec sa méthode et ses excuses, est [par ici](https://enquetes.example/dix-heures)."),
    ),
  },
  {
    slug: 'le-banc-de-la-gare',
    title: 'Le banc de la gare',
    subtitle: 'On y a mis des accoudoirs. Il a cessé d’être un lit, puis un banc, puis il a disparu.',
    language: 'fr',
    weeksAgo: 6,
    cover: 'bench',
    content: doc(
      p(
        "Il faisait trois mètres et l'on y tenait à six, ou à un. C'était sa qualité : il ne décidait pas pour vous. En 1998 on lui ajouta deux accoudoirs, pour le confort. En 2011 on le remplaça par des sièges, pour l'entretien. L'an dernier, par une barre où l'on s'appuie debout, *pour la fluidité*.",
      ),
      p('Madame Cornec, qui attend le 17 h 42 depuis trente et un ans, apporte désormais un pliant.'),
      p('La mairie a répondu [à ma lettre](https://ville.example/reponses/1142). Elle est assise, je suppose.'),
    ),
  },
  {
    slug: 'le-facteur-fait-le-tour',
    title: 'Le facteur fait le tour',
    subtitle: 'Onze kilomètres, quatre cents boîtes, un chien nommé Préavis.',
    language: 'fr',
    weeksAgo: 8,
    cover: 'lighthouse',
    content: doc(
      p(
        "J'ai suivi Gildas un mardi, à vélo, avec l'interdiction de toucher au courrier et l'obligation de saluer tout le monde.",
      ),
      bullets(
        '**8 h 10.** Le tri : on range les rues dans l’ordre où l’on va mourir de chaud.',
        '**9 h 25.** Préavis, le chien du notaire, mord le pneu. Il préfère le pneu avant.',
        '**11 h 40.** Une carte postale sans texte. Gildas la lit longtemps.',
      ),
      p('Sa tournée est [dessinée ici](https://tournees.example/gildas), dénivelé compris.'),
    ),
  },
  {
    slug: 'un-quart-dheure-pour-commencer',
    title: 'Un quart d’heure, pour commencer',
    subtitle: 'Le mode d’emploi, qui est court, et une promesse, qui l’est aussi.',
    language: 'fr',
    weeksAgo: 11,
    cover: 'clock',
    content: doc(
      p('Bonjour {name|à vous}.'),
      p(
        "Un mercredi sur deux, à midi, une lettre qui se lit en un quart d'heure : un objet, un lieu, une habitude, regardés d'un peu trop près. Rien à installer, rien à gagner. Si ce n'est plus le moment, le lien est en bas, et il fonctionne du premier coup.",
      ),
      p('*Inès*'),
    ),
  },
]

export const drafts: SamplePublication[] = [
  {
    slug: 'la-file-d-attente',
    title: 'La file d’attente',
    subtitle: 'Pourquoi l’autre avance toujours plus vite, avec la preuve.',
    language: 'fr',
    content: doc(
      p(
        "Prenez trois guichets et une seule file : tout le monde attend pareil, et personne n'est content. *À reprendre.*",
      ),
    ),
  },
]
